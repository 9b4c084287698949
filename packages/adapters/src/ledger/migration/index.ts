export { connect } from '../connection.ts'
export {
  handOverCalls,
  listCalls,
  type MigrationCall,
  type MintedItem,
  mintCall,
  type SetUp,
  setUpCalls,
} from './encode-calls.ts'
export { type PairReader, pairReader, type RecordedToken } from './recorded-tokens.ts'
export {
  type BatchResult,
  type MigrationChain,
  readNonces,
  type SignedBatch,
  sendBatch,
  signBatch,
} from './signed-batch.ts'
