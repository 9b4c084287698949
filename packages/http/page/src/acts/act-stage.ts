import type { Problem } from '../api/problem.ts'
import type { ActResult } from './act.ts'
import type { SentAct } from './pending-act.ts'

/** The account that pays the network fee: the visitor's wallet, or the server for what it relays. */
export type FeePayer = 'wallet' | 'server'

/** The cost of an act, in wei. */
export type Cost = {
  /** The native money that the wallet pays. */
  readonly value: bigint
  /** The gas limit. */
  readonly gas: bigint
  /** The estimated network fee. */
  readonly fee: bigint
  readonly feePayer: FeePayer
  /** The native money that the wallet holds. */
  readonly balance: bigint
  /** The dollars that the wallet holds, for an act that pays in dollars. */
  readonly dollars?: bigint
  /** Whether the wallet pays and acts at once, in one confirmation (EIP-5792). */
  readonly isBatch?: boolean
}

/** The receipt of a mined act. */
export type Receipt = ActResult & {
  readonly hash: string
  readonly block: bigint
  readonly fee: bigint
  readonly feePayer: FeePayer
}

/** The stage of an act, from the estimate of its cost to its outcome. */
export type ActStage =
  | { readonly at: 'estimating' }
  | { readonly at: 'ready'; readonly cost: Cost }
  | { readonly at: 'signing'; readonly cost: Cost }
  /**
   * It is sent; `isDisconnected` while neither the server nor the wallet answers. The hash of a relayed
   * act is unknown until the server has named it.
   */
  | {
      readonly at: 'sent'
      readonly sent: SentAct
      readonly hash?: string
      readonly isDisconnected: boolean
    }
  | { readonly at: 'mined'; readonly receipt: Receipt }
  | { readonly at: 'refused'; readonly problem: Problem; readonly hash?: string }

/** An event that moves an act to another stage. */
export type ActEvent =
  | { readonly kind: 'estimated'; readonly cost: Cost }
  | { readonly kind: 'confirmed' }
  | { readonly kind: 'sent'; readonly sent: SentAct }
  | { readonly kind: 'named'; readonly hash: string }
  | { readonly kind: 'disconnected' }
  | { readonly kind: 'connected' }
  | { readonly kind: 'mined'; readonly receipt: Receipt }
  | { readonly kind: 'refused'; readonly problem: Problem }
  | { readonly kind: 'retried' }

/** Returns the stage of an act that was sent. */
export const beginSent = (sent: SentAct): Extract<ActStage, { at: 'sent' }> => ({
  at: 'sent',
  sent,
  isDisconnected: false,
  ...(sent.hash !== undefined && { hash: sent.hash }),
})

/** Returns the stage after an event; an event that comes too late changes nothing. */
export function nextStage(stage: ActStage, event: ActEvent): ActStage {
  if (stage.at === 'mined') return stage
  if (event.kind === 'retried') return canRetry(stage) ? { at: 'estimating' } : stage
  if (stage.at === 'refused') return stage
  if (event.kind === 'refused') return refuse(stage, event.problem)
  return stage.at === 'sent' ? afterSending(stage, event) : beforeSending(stage, event)
}

const canRetry = ({ at }: ActStage): boolean => at === 'ready' || at === 'refused'

function refuse(stage: ActStage, problem: Problem): ActStage {
  const hash = stage.at === 'sent' ? stage.hash : undefined
  return { at: 'refused', problem, ...(hash !== undefined && { hash }) }
}

function beforeSending(stage: ActStage, event: ActEvent): ActStage {
  if (stage.at === 'estimating' && event.kind === 'estimated') {
    return { at: 'ready', cost: event.cost }
  }
  if (stage.at === 'ready' && event.kind === 'confirmed') return { at: 'signing', cost: stage.cost }
  return stage.at === 'signing' && event.kind === 'sent' ? beginSent(event.sent) : stage
}

// After sending, only the chain decides the outcome: not the wallet, and not a lost connection.
function afterSending(stage: Extract<ActStage, { at: 'sent' }>, event: ActEvent): ActStage {
  if (event.kind === 'named') return { ...stage, hash: event.hash, isDisconnected: false }
  if (event.kind === 'mined') return { at: 'mined', receipt: event.receipt }
  const isOfConnection = event.kind === 'disconnected' || event.kind === 'connected'
  return isOfConnection ? { ...stage, isDisconnected: event.kind === 'disconnected' } : stage
}
