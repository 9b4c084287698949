import { creditOf, dollarBalanceOf, dollarCreditOf, reads } from '@heirloom/adapters/internal/acts'
import { type Account, account, type Hex } from '@heirloom/core'
import type { Actor } from './actor.ts'
import { createOnce } from './once.ts'
import { confirm, type Performed, type Performer, performCall } from './perform.ts'
import { performOrder, recallOrder } from './perform-order.ts'
import { createSentActs, type SentActs } from './sent-acts.ts'
import { serialQueue } from './serial-queue.ts'

/** An actor that performs its acts, and the acts that it sent. */
type CreatedActor = { readonly actor: Actor; readonly sentActs: SentActs }

/** Creates the actor of a wallet. It performs one act at a time: each takes the next nonce. */
export function createActor(
  performer: Performer,
  parts: Pick<Actor, 'seal' | 'now' | 'refuseCopy'>,
): CreatedActor {
  const { chain, sender } = performer
  const agent = account(sender.address)
  const enqueue = serialQueue()
  const sentActs = createSentActs()
  const once = createOnce((act, sent) =>
    enqueue(async () => (await confirm(performer, { act, sent })).performed()),
  )
  const perform: Actor['perform'] = (act, idempotency, { signal, onSent }) =>
    once.run(act, idempotency, (report) => {
      const options = {
        signal,
        onSent: (sent: Parameters<typeof report>[0]) => {
          report(sent)
          sentActs.add(act, sent)
          onSent?.(sent.txHash, sent.signed)
        },
      }
      return enqueue<Performed>(() =>
        act.kind === 'order'
          ? performOrder(performer, act, options)
          : performCall(performer, { act }, options),
      )
    })
  const actor: Actor = {
    ...{ agent, recall: once.recall, record: once.record, perform },
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
