/** The second thread of a reindex, as the product starts it, in the bundle of the probes. */
import '../../src/wiring/store-reader.ts'
