import type { Problem } from '../api/problem.ts'

/** The cost of an act, in wei. */
export type Cost = {
  readonly value: bigint
  /** The gas limit. */
  readonly gas: bigint
  /** The estimated network fee. */
  readonly fee: bigint
  readonly balance: bigint
}

/** The receipt of a mined act. */
export type Receipt = {
  readonly hash: string
  readonly block: bigint
  readonly fee: bigint
  /** The token that a fork or a mint minted. */
  readonly minted: string | undefined
}

/** The stage of an act, from the estimate of its cost to its outcome. */
export type ActStage =
  | { readonly at: 'estimating' }
  | { readonly at: 'ready'; readonly cost: Cost }
  | { readonly at: 'signing'; readonly cost: Cost }
  /** It is sent; `isDisconnected` while neither the server nor the wallet answers. */
  | { readonly at: 'sent'; readonly hash: string; readonly isDisconnected: boolean }
  | { readonly at: 'mined'; readonly receipt: Receipt }
  | { readonly at: 'refused'; readonly problem: Problem; readonly hash?: string }

/** An event that moves an act to another stage. */
export type ActEvent =
  | { readonly kind: 'estimated'; readonly cost: Cost }
  | { readonly kind: 'confirmed' }
  | { readonly kind: 'sent'; readonly hash: string }
  | { readonly kind: 'disconnected' }
  | { readonly kind: 'connected' }
  | { readonly kind: 'mined'; readonly receipt: Receipt }
  | { readonly kind: 'refused'; readonly problem: Problem }
  | { readonly kind: 'retried' }

type Step<At extends ActStage['at']> = (
  stage: Extract<ActStage, { at: At }>,
  event: ActEvent,
) => ActStage

const estimating: Step<'estimating'> = (stage, event) => {
  if (event.kind === 'estimated') return { at: 'ready', cost: event.cost }
  return event.kind === 'refused' ? { at: 'refused', problem: event.problem } : stage
}

const ready: Step<'ready'> = (stage, event) => {
  if (event.kind === 'confirmed') return { at: 'signing', cost: stage.cost }
  if (event.kind === 'refused') return { at: 'refused', problem: event.problem }
  return event.kind === 'retried' ? { at: 'estimating' } : stage
}

const signing: Step<'signing'> = (stage, event) => {
  if (event.kind === 'sent') return { at: 'sent', hash: event.hash, isDisconnected: false }
  return event.kind === 'refused' ? { at: 'refused', problem: event.problem } : stage
}

// After sending, only the chain decides the outcome: not the wallet, and not a lost connection.
const sent: Step<'sent'> = (stage, event) => {
  if (event.kind === 'disconnected' || event.kind === 'connected') {
    return { ...stage, isDisconnected: event.kind === 'disconnected' }
  }
  if (event.kind === 'mined') return { at: 'mined', receipt: event.receipt }
  if (event.kind !== 'refused') return stage
  return { at: 'refused', problem: event.problem, hash: stage.hash }
}

/** Returns the stage after an event; an event that comes too late changes nothing. */
export function nextStage(stage: ActStage, event: ActEvent): ActStage {
  switch (stage.at) {
    case 'estimating':
      return estimating(stage, event)
    case 'ready':
      return ready(stage, event)
    case 'signing':
      return signing(stage, event)
    case 'sent':
      return sent(stage, event)
    case 'refused':
      return event.kind === 'retried' ? { at: 'estimating' } : stage
    case 'mined':
      return stage
  }
}
