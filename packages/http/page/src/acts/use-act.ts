import { useEffect, useReducer, useRef } from 'preact/hooks'
import { changes, refreshAll } from '../api/changes.ts'
import { deployment } from '../api/deployment.ts'
import { toProblem } from '../api/problem.ts'
import { announce } from '../parts/announce.ts'
import { type ConnectedWallet, connectedWallet } from '../wallet/connected-wallet.ts'
import { chainProvider } from '../wallet/open-chain.ts'
import { type Act, describeResult, isOrder, isPurchase, updateTerms } from './act.ts'
import { type ActEvent, type ActStage, beginSent, nextStage, type Receipt } from './act-stage.ts'
import { estimateCost } from './estimate-cost.ts'
import { followAct, waitForToken, waitForWithdrawal } from './follow-act.ts'
import {
  clearPendingAct,
  openAct,
  type PendingAct,
  pendingAct,
  replaceAct,
  storePendingAct,
} from './pending-act.ts'
import { sendAct } from './send-act.ts'
import { forgetSignedOrder } from './sign-order.ts'
import { forgetUnminted, lastMint } from './unminted-seals.ts'

/** The stage of an act and the actions of its user. */
export type ActProgress = Readonly<ReturnType<typeof useAct>>

/** Runs an act from the estimate of its cost to its receipt. */
export function useAct(act: Act) {
  const sent = pendingAct.value?.act === act ? pendingAct.value : undefined
  const [stage, dispatch] = useReducer(nextStage, sent, begin)
  const wallet = usableWallet()
  useEffect(
    () => estimateWhen(stage.at === 'estimating', act, wallet, dispatch),
    [stage.at, act, wallet],
  )
  useRestart(stage, wallet, dispatch)
  useTerms(act, stage, dispatch)
  useOutcome(act, stage, dispatch)
  return {
    stage,
    confirm: () => {
      if (stage.at !== 'ready' || wallet === undefined) return
      dispatch({ kind: 'confirmed' })
      sendAct(act, wallet, stage.cost).then(
        (sent) => {
          // Stored even if its dialog was closed in between.
          storePendingAct({ act, sent })
          // Nobody has sent what was signed: its dialog does.
          if (sent.signed !== undefined) openAct.value ??= act
          dispatch({ kind: 'sent', sent })
        },
        (error: unknown) => dispatch({ kind: 'refused', problem: toProblem(error) }),
      )
    },
    retry: () => void retry(act, dispatch),
  }
}

/** Follows an act that was sent to its outcome, and returns its stage. */
export function useSentAct(pending: PendingAct): ActStage {
  const [stage, dispatch] = useReducer(nextStage, pending, begin)
  useOutcome(pending.act, stage, dispatch)
  return stage
}

/** Follows an act from when it is sent, and makes its outcome known. */
function useOutcome(act: Act, stage: ActStage, dispatch: (event: ActEvent) => void): void {
  const sent = stage.at === 'sent' ? stage.sent : undefined
  useEffect(() => {
    if (sent === undefined) return
    const stop = new AbortController()
    followAct(
      { act, sent },
      {
        chain: () => chainProvider(usableWallet()),
        dispatch: (event) => void waitUntilVisible(act, event).then(() => dispatch(event)),
        signal: stop.signal,
      },
    )
    return () => stop.abort()
  }, [sent])
  useEffect(() => conclude(act, stage), [stage])
}

/** Tries an act again, at the current terms: those it was prepared with may have changed. */
async function retry(act: Act, dispatch: (event: ActEvent) => void): Promise<void> {
  // Without the terms, the estimate is repeated and shows what is wrong.
  const updated = await updateTerms(act).catch(() => act)
  if (updated === act) dispatch({ kind: 'retried' })
  else replaceAct(act, updated)
}

/** Follows the terms of a purchase that nobody has confirmed yet, as the chain changes. */
function useTerms(act: Act, stage: ActStage, dispatch: (event: ActEvent) => void): void {
  const change = changes.value
  const first = useRef(change)
  useEffect(() => {
    if (change === first.current || stage.at !== 'ready' || !isPurchase(act)) return
    first.current = change
    void retry(act, dispatch)
  }, [change, stage.at])
}

/** Waits until the catalogue shows an event, if no later event would refresh the page. */
async function waitUntilVisible(act: Act, event: ActEvent): Promise<void> {
  if (event.kind !== 'mined') return
  const { minted } = event.receipt
  const account = usableWallet()?.account
  if (minted !== undefined) await waitForToken(minted, placeOf(act))
  if (act.kind === 'withdraw' && account !== undefined) await waitForWithdrawal(account, act)
}

/** Returns where a catalogue shows the token that an act minted. */
function placeOf(act: Act): { readonly parent: string } | { readonly contentHash: string } {
  if (act.kind === 'mint') return { contentHash: act.seal.contentHash }
  return { parent: 'tokenId' in act ? act.tokenId : '' }
}

const begin = (sent: PendingAct | undefined): ActStage =>
  sent === undefined ? { at: 'estimating' } : beginSent(sent.sent)

/** Returns the connected wallet if it is on the chain of the server. */
export function usableWallet(): ConnectedWallet | undefined {
  const wallet = connectedWallet.value
  return wallet?.chainId === deployment.value?.chainId ? wallet : undefined
}

/** Starts an unsent act again when the wallet changes: cost and refusal are of the last one. */
function useRestart(
  stage: ActStage,
  wallet: ConnectedWallet | undefined,
  dispatch: (event: ActEvent) => void,
): void {
  const account = wallet?.account
  const last = useRef(account)
  useEffect(() => {
    const isUnsent = stage.at === 'ready' || (stage.at === 'refused' && stage.hash === undefined)
    if (last.current !== account && isUnsent) dispatch({ kind: 'retried' })
    last.current = account
  }, [account, stage.at])
}

function estimateWhen(
  isDue: boolean,
  act: Act,
  wallet: ConnectedWallet | undefined,
  dispatch: (event: ActEvent) => void,
): (() => void) | undefined {
  if (!isDue || wallet === undefined) return
  let isCurrent = true
  estimateCost(act, wallet).then(
    (cost) => isCurrent && dispatch({ kind: 'estimated', cost }),
    (error: unknown) => isCurrent && dispatch({ kind: 'refused', problem: toProblem(error) }),
  )
  return () => {
    isCurrent = false
  }
}

function conclude(act: Act, stage: ActStage): void {
  if (stage.at === 'sent' && stage.isDisconnected)
    announce('The server does not answer. Still waiting.')
  if (stage.at !== 'mined' && stage.at !== 'refused') return
  clearPendingAct(act)
  refreshAll()
  if (stage.at !== 'mined') return
  announce(describeResult(act, stage.receipt))
  concludeMined(act, stage.receipt)
}

function concludeMined(act: Act, { hash: txHash, minted: tokenId }: Receipt): void {
  const wallet = usableWallet()
  if (isOrder(act) && wallet !== undefined) forgetSignedOrder(act, wallet)
  if (act.kind !== 'mint' || tokenId === undefined) return
  const { contentHash } = act.seal
  forgetUnminted(contentHash)
  lastMint.value = { tokenId, contentHash, txHash }
}
