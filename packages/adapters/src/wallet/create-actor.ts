import { type Account, account, type Hex } from '@heirloom/core'
import { creditOf, dollarBalanceOf, dollarCreditOf, reads } from '../ledger/acts/index.ts'
import type { Actor } from './actor.ts'
import { createOnce, type Unended } from './once.ts'
import { openOrder } from './open-orders.ts'
import { performCall, requirePayable } from './perform.ts'
import { performOrder, recallOrder } from './perform-order.ts'
import type { Performed, Performer } from './performer.ts'
import { resumeAct } from './resume-act.ts'
import { newestHash, type Sent } from './sender.ts'
import { createSentActs, type SentActs } from './sent-acts.ts'
import type { WalletStore } from './wallet-store.ts'

/** An actor that performs its acts, and the acts that it sent. */
type CreatedActor = { readonly actor: Actor; readonly sentActs: SentActs }

export declare namespace createActor {
  type Parts = Pick<Actor, 'now'> & {
    readonly store: Pick<WalletStore, 'acts' | 'spending'>
  }
}

/** Creates the actor of a wallet. It performs one act at a time: each takes the next nonce. */
export function createActor(
  performer: Performer,
  { store, ...parts }: createActor.Parts,
): CreatedActor {
  const { chain, sender } = performer
  const agent = account(sender.address)
  const enqueue = serialQueue()
  const sentActs = createSentActs()
  const resume = (
    { sent: { order, ...sent }, ...act }: Unended,
    onReplaced: (sent: Sent) => void,
  ) =>
    enqueue(() => {
      const opened = order && { order: openOrder(order, store.spending) }
      return resumeAct(performer, { ...act, sent: { ...sent, ...opened }, onReplaced })
    })
  const once = createOnce({ store: store.acts, resume, now: performer.now })
  const perform: Actor['perform'] = (act, idempotency, { signal, onSent }) =>
    once.run(act, idempotency, (report) => {
      const options = {
        signal,
        onRequest: report.onRequest,
        onSent: (sent: Sent) => {
          report.onSent(sent)
          sentActs.add(act, sent)
          onSent?.(sent.txHash, sent.signed)
        },
        onReplaced: (sent: Sent) => {
          report.onReplaced(sent)
          sentActs.add(act, sent)
          onSent?.(newestHash(sent))
        },
      }
      return enqueue<Performed>(() =>
        act.kind === 'order'
          ? performOrder(performer, act, options)
          : performCall(performer, { act }, options),
      )
    })
  const actor: Actor = {
    agent,
    recall: once.recall,
    record: once.record,
    perform,
    requirePayable: (act) => requirePayable(performer, act),
    recallOrder: (gift) => enqueue(() => recallOrder(performer, gift)),
    reads: reads(chain.client, chain.pair),
    readCredit: () => creditOf(chain.client, chain.pair, agent),
    readDollars: () => readDollars(performer, agent),
    ...parts,
  }
  return { actor, sentActs }
}

async function readDollars({ chain: { client, pair } }: Performer, of: Account) {
  const asset: Hex | undefined = pair.dollar
  if (asset === undefined) return undefined
  const [balance, credit] = await Promise.all([
    dollarBalanceOf(client, asset, of),
    dollarCreditOf(client, pair, of),
  ])
  return { asset, balance, credit }
}

/** Runs tasks one after the other. */
type SerialQueue = <T>(task: () => Promise<T>) => Promise<T>

/** Creates a queue; a task that fails does not stop the next one. */
function serialQueue(): SerialQueue {
  let last: Promise<unknown> = Promise.resolve()
  return (task) => {
    const next = last.then(task, task)
    last = next.catch(() => undefined)
    return next
  }
}
