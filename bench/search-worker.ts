// The worker thread of the build, as a script beside the bundled bench.
import '../src/catalogue/index/engine/sort-worker.ts';
