import { useEffect, useReducer } from 'preact/hooks'
import { announce } from '../announce.ts'
import { catalogued, paidOut } from '../api/wait-for-catalogue.ts'
import { lookAgain } from '../api/changes.ts'
import { problemOf } from '../api/problem.ts'
import { deployment } from '../deployment.ts'
import { type Connected, connected } from '../wallet/connected-wallet.ts'
import type { Act } from './act.ts'
import { keepPending, type Pending, pending, settlePending } from './pending-act.ts'
import { chainOf, follow, send, weigh } from './send-act.ts'
import { type News, next, type Stage } from './act-stage.ts'

/** An act on its way, and what its user can say to it. */
export type UnderWay = {
  readonly stage: Stage
  readonly confirm: () => void
  readonly again: () => void
}

/** Carries an act from its price to its receipt. */
export function useAct(act: Act): UnderWay {
  const sent = pending.value?.act === act ? pending.value : undefined
  const [stage, tell] = useReducer(next, sent, begin)
  const wallet = usable()
  useEffect(() => weighWhen(stage.at === 'weighing', act, wallet, tell), [stage.at, act, wallet])
  const hash = stage.at === 'sent' ? stage.hash : undefined
  useEffect(() => {
    if (hash === undefined) return
    const stop = new AbortController()
    follow(
      hash,
      () => chainOf(usable()),
      (news) => tellOnceShown(act, news, tell),
      stop.signal,
    )
    return () => stop.abort()
  }, [hash])
  useEffect(() => conclude(stage), [stage])
  return {
    stage,
    confirm: () => {
      if (stage.at !== 'ready' || wallet === undefined) return
      tell({ kind: 'confirmed' })
      send(act, wallet, stage.cost).then(
        (hash) => {
          // Kept also when its window was closed meanwhile.
          keepPending({ act, hash })
          tell({ kind: 'sent', hash })
        },
        (error: unknown) => tell({ kind: 'refused', problem: problemOf(error) }),
      )
    },
    again: () => tell({ kind: 'again' }),
  }
}

/** What no later event would correct on the page is told once the catalogue tells it too. */
function tellOnceShown(act: Act, news: News, tell: (news: News) => void): void {
  void shown(act, news).then(() => tell(news))
}

async function shown(act: Act, news: News): Promise<void> {
  if (news.kind !== 'mined') return
  const { child } = news.receipt
  const account = usable()?.account
  if (act.kind === 'fork' && child !== undefined) await catalogued(child, { parent: act.tokenId })
  if (act.kind === 'withdraw' && account !== undefined) await paidOut(account, act.amount)
}

function begin(sent: Pending | undefined): Stage {
  return sent === undefined ? { at: 'weighing' } : { at: 'sent', hash: sent.hash, isLost: false }
}

/** Returns the wallet when it is on the chain of the server. */
export function usable(): Connected | undefined {
  const wallet = connected.value
  return wallet?.chainId === deployment.value?.chainId ? wallet : undefined
}

function weighWhen(
  isDue: boolean,
  act: Act,
  wallet: Connected | undefined,
  tell: (news: News) => void,
): (() => void) | undefined {
  if (!isDue || wallet === undefined) return
  let isWanted = true
  weigh(act, wallet).then(
    (cost) => isWanted && tell({ kind: 'weighed', cost }),
    (error: unknown) => isWanted && tell({ kind: 'refused', problem: problemOf(error) }),
  )
  return () => {
    isWanted = false
  }
}

function conclude(stage: Stage): void {
  if (stage.at === 'sent' && stage.isLost) announce('The server does not answer. Still waiting.')
  if (stage.at !== 'mined' && stage.at !== 'refused') return
  settlePending(stage.at === 'mined' ? stage.receipt.hash : stage.hash)
  lookAgain()
  if (stage.at === 'mined') announce('Done. The chain has accepted it.')
}
