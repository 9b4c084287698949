import type { Problem } from '../api/problem.ts'

/** What an act costs; all in wei. */
export type Cost = {
  readonly value: bigint
  /** The gas to allow. */
  readonly gas: bigint
  /** About what the network takes. */
  readonly fee: bigint
  readonly balance: bigint
}

/** What the chain answered. */
export type Receipt = {
  readonly hash: string
  readonly block: bigint
  readonly fee: bigint
  /** The token that a fork made. */
  readonly child: string | undefined
}

/** How far an act has come. */
export type Stage =
  | { readonly at: 'weighing' }
  | { readonly at: 'ready'; readonly cost: Cost }
  | { readonly at: 'asking'; readonly cost: Cost }
  /** It is on its way; `isLost` while nobody can be asked what became of it. */
  | { readonly at: 'sent'; readonly hash: string; readonly isLost: boolean }
  | { readonly at: 'mined'; readonly receipt: Receipt }
  | { readonly at: 'refused'; readonly problem: Problem; readonly hash?: string }

/** What can happen to an act. */
export type News =
  | { readonly kind: 'weighed'; readonly cost: Cost }
  | { readonly kind: 'confirmed' }
  | { readonly kind: 'sent'; readonly hash: string }
  | { readonly kind: 'lost' }
  | { readonly kind: 'found' }
  | { readonly kind: 'mined'; readonly receipt: Receipt }
  | { readonly kind: 'refused'; readonly problem: Problem }
  | { readonly kind: 'again' }

type Step<At extends Stage['at']> = (stage: Extract<Stage, { at: At }>, news: News) => Stage

const weighing: Step<'weighing'> = (stage, news) => {
  if (news.kind === 'weighed') return { at: 'ready', cost: news.cost }
  return news.kind === 'refused' ? { at: 'refused', problem: news.problem } : stage
}

const ready: Step<'ready'> = (stage, news) => {
  if (news.kind === 'confirmed') return { at: 'asking', cost: stage.cost }
  if (news.kind === 'refused') return { at: 'refused', problem: news.problem }
  return news.kind === 'again' ? { at: 'weighing' } : stage
}

const asking: Step<'asking'> = (stage, news) => {
  if (news.kind === 'sent') return { at: 'sent', hash: news.hash, isLost: false }
  return news.kind === 'refused' ? { at: 'refused', problem: news.problem } : stage
}

// Once it is sent, only the chain says what becomes of it: not the wallet, and not a lost connection.
const sent: Step<'sent'> = (stage, news) => {
  if (news.kind === 'lost' || news.kind === 'found') {
    return { ...stage, isLost: news.kind === 'lost' }
  }
  if (news.kind === 'mined') return { at: 'mined', receipt: news.receipt }
  if (news.kind !== 'refused') return stage
  return { at: 'refused', problem: news.problem, hash: stage.hash }
}

/** Returns how far an act has come after some news; news that come too late change nothing. */
export function next(stage: Stage, news: News): Stage {
  switch (stage.at) {
    case 'weighing':
      return weighing(stage, news)
    case 'ready':
      return ready(stage, news)
    case 'asking':
      return asking(stage, news)
    case 'sent':
      return sent(stage, news)
    case 'refused':
      return news.kind === 'again' ? { at: 'weighing' } : stage
    case 'mined':
      return stage
  }
}
