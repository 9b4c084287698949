export { type ContractPair, findPair, type PairSearch } from '../contract-pair.ts'
export { callNode, failureIn, isRefusal } from '../node-call.ts'
export type { MintItem } from '../nonce-lane/job.ts'
export { type Reads, reads } from '../reads.ts'
export {
  broadcast,
  findRevertReason,
  miningTimeout,
  prepareTransaction,
  waitForReceipt,
} from '../send-once.ts'
export { creditOf } from './credit-of.ts'
export { decodeMint } from './decode-mint.ts'
export { type ActResult, decodeReceipt } from './decode-receipt.ts'
export { type Act, type ActCall, type ActKind, encodeAct } from './encode-act.ts'
export { logsOfAct } from './logs-of-act.ts'
