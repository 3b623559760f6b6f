// The entry of this action: that of the repository's root, for workflows of this repository, where `$/` alone names none.
await import("../dist/index.js");
