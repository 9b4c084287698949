import { type Act, encodeAct, prepareTransaction } from '@heirloom/adapters/internal/acts'
import { isFailure } from '@heirloom/core'
import type { Actor } from './actor.ts'
import type { Performed, Performer } from './perform.ts'
import type { SealBody } from './seal-memory.ts'
import type { Quote } from './wallet.ts'

/** An actor that only simulates its acts, and the quote of its last one. */
type QuotingActor = { readonly actor: Actor; readonly quote: () => Quote }

/** Returns an actor that sends and signs nothing, and seals nothing. */
export function quotingActor(
  actor: Actor,
  performer: Pick<Performer, 'chain' | 'sender'>,
): QuotingActor {
  let quote: Quote | undefined
  const perform = async (act: Act): Promise<Performed> => {
    quote = await quoteAct(performer, act)
    return { ...noEffect, act }
  }
  const recall = async () => undefined
  return { actor: { ...actor, perform, recall, seal: unsealed }, quote: () => requireQuote(quote) }
}

function requireQuote(quote: Quote | undefined): Quote {
  if (quote === undefined) throw new Error('The act performed nothing.')
  return quote
}

const noEffect = {
  ...({ txHash: '0x', tokenIds: [0n], expiresAt: 0n, withdrawn: 0n } as const),
  ...{ takeoverAt: 0n, creditTakenOver: undefined },
}

/** A content hash or a digest, of which only the size matters for the cost. */
const anyHash = `0x${'5a'.repeat(32)}` as const

const unsealed = async ({ recipient, parent, card }: SealBody) => ({
  ...{ recipient, parent, contentHash: anyHash, digest: anyHash },
  card: card === undefined ? undefined : anyHash,
})

async function quoteAct(
  { chain, sender }: Pick<Performer, 'chain' | 'sender'>,
  act: Act,
): Promise<Quote> {
  const { client } = chain
  const { address: from } = sender
  const call = encodeAct(chain.pair, act)
  const balance = await client.getBalance({ address: from })
  const prepared = await prepareTransaction({ client, wallet: sender }, call).catch(
    (error: unknown) => {
      if (isFailure(error, 'wallet/short')) return undefined
      throw error
    },
  )
  const { gas = 0n, maxFeePerGas = 0n } = prepared ?? {}
  return {
    ...{ from, to: call.to, price: `${call.value}`, balance: `${balance}` },
    maxFee: prepared === undefined ? null : `${gas * maxFeePerGas}`,
  }
}
