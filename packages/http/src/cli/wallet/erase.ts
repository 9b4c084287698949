import { account, Failure, sameAccount, tokenId } from '@heirloom/core'
import type { Account } from '../../client/access-proof.ts'
import type { Client } from '../../client/client.ts'
import { readPages } from '../../client/reads.ts'
import type { Erased, Lineage, Token } from '../../client/responses.ts'
import { type Call, command, type Options, UsageError } from '../arguments/command.ts'
import { joinWords } from '../arguments/read-call.ts'
import { readTokenId } from '../arguments/read-values.ts'
import { connectAsAccount, serverOptions } from '../connection/connect.ts'
import { promptConfirm } from '../terminal/prompt.ts'
import { canPrompt } from '../terminal/terminal.ts'
import { rows, timeText } from '../terminal/value-text.ts'

const options = {
  'as-agent': {
    type: 'boolean',
    about: "Erase what the server's wallet owns, with an API key of the scope admin.",
  },
  yes: { type: 'boolean', short: 'y', about: 'Do not ask before erasing.' },
  ...serverOptions,
} as const satisfies Options

/** Erases the memory of a token. */
export const erase = command({
  about: 'Erases the memory of a token that you own, for ever; the token stays.',
  more: [
    'Your wallet signs the request, and pays nothing. Every token with the same memory loses it, such as a fork and its parent; the command names them. Your wallet must own them all, none of them listed or rented by others. Backups made before still hold the sealed bytes, and other people may hold what they opened.',
  ],
  words: [{ name: 'ID', about: 'The token.' }],
  options,
  examples: {
    'Show what goes, and ask:': 'heirloom erase 7',
    "Erase a memory of the server's wallet:": 'heirloom erase 7 --as-agent --yes',
  },
  run: async (call) => {
    const id = readTokenId('ID', call.words.ID)
    const { client, account: own } = await connectAsAccount(call)
    const as = call.options['as-agent'] || own === undefined ? 'agent' : 'account'
    await confirm(call, client, { id, by: as === 'account' ? own : undefined })
    const erased = await client.erase(id, { as }, { signal: call.signal })
    // Read after it, when the catalogue has every token up to the head of the chain.
    const value = { ...erased, ...(await readOthers(client, id, call.signal)) }
    await call.output.result({ value, lines: linesOf(value) })
  },
})

type EraseCall = Call<'ID', typeof options>

/** Asks a person, who sees what goes; without one, `--yes` is required. */
async function confirm(
  call: EraseCall,
  client: Client,
  { id, by }: { readonly id: string; readonly by: Pick<Account, 'address'> | undefined },
): Promise<void> {
  if (call.options.yes) return
  const { token, others } = await readErased(client, id, call.signal)
  const own = by && account(by.address)
  if (own !== undefined && !sameAccount(own, account(token.owner))) {
    throw new Failure('token/not-owner', { tokenId: tokenId(id), account: own })
  }
  if (call.output.json || !canPrompt(call.terminal)) throw unconfirmed(id, others)
  await promptConfirm(call.terminal, question(token, others))
}

/** Reads a token, and the other tokens that lose the memory with it. */
async function readErased(client: Client, id: string, signal: AbortSignal) {
  const { token } = await client.lineage(id, {}, { signal })
  return { token, others: await sameMemory(client, token, signal) }
}

/** Reads the tokens that lost a memory, if they can be read: it is erased all the same. */
const readOthers = (client: Client, id: string, signal: AbortSignal) =>
  readErased(client, id, signal).then(
    ({ others }) => ({ alsoErased: others }),
    () => ({}),
  )

function unconfirmed(id: string, others: readonly string[]): UsageError {
  if (others.length === 0) {
    return new UsageError('An erased memory is gone for ever: pass --yes to erase it.')
  }
  return new UsageError(
    `Erasing the memory of token ${id} also takes it from ${sharing(others)}. It is gone for ever: pass --yes to erase it.`,
  )
}

const linesOf = ({ tokenId: id, erasedAt, isRemoved, alsoErased }: ErasedTokens) =>
  rows([
    ['Erased', `the memory of token ${id}, on ${timeText(erasedAt)}`],
    ...alsoGone(alsoErased),
    ['Removed', isRemoved ? 'all of it here' : 'not all of it yet; the server goes on'],
  ])

type ErasedTokens = Erased & { readonly alsoErased?: readonly string[] }

function alsoGone(others: readonly string[] | undefined) {
  if (others?.length === 0) return []
  const tokens =
    others === undefined
      ? 'not known: the server did not list the tokens with the same memory'
      : `from ${sharing(others, 'had')}`
  return [['Also gone', tokens] as const]
}

function question(
  { tokenId: id, card, contentHash }: Lineage['token'],
  others: readonly string[],
): string {
  const also = others.length === 0 ? '' : ` It goes from ${sharing(others)}, too.`
  return `Erase the memory of token ${id}, ${nameOf(card)} (content hash ${contentHash}), for ever?${also} Its sealed bytes, its card and every download go; the token and what the chain records stay.`
}

const sharing = (ids: readonly string[], had?: 'had'): string =>
  ids.length === 1
    ? `token ${ids[0]}, which ${had ?? 'has'} the same memory`
    : `tokens ${joinWords(ids, 'and')}, which ${had ?? 'have'} the same memory`

const nameOf = (card: Token['card']): string =>
  card === null ? 'which has no card' : `“${card.title}”`

/** The tokens of one page. */
const limit = 100

/**
 * Returns the ids of the other tokens of the same owner that open the memory of a token, and lose it when
 * it is erased. A copy opens nothing.
 *
 * @throws `client/bad-answer` for a list without an end
 */
async function sameMemory(
  client: Client,
  token: Token,
  signal: AbortSignal,
): Promise<readonly string[]> {
  const { contentHash, owner } = token
  const all = await readPages((after) =>
    client.memories({ contentHash, owner, limit, after }, { signal }),
  )
  const others = all.filter((it) => opensSame(it, token))
  return others.map(({ tokenId }) => tokenId).toReversed()
}

const opensSame = (one: Token, other: Token): boolean =>
  one.tokenId !== other.tokenId &&
  one.originality !== 'copied' &&
  one.storageUri === other.storageUri &&
  makerOf(one) === makerOf(other)

const makerOf = ({ source, creator }: Token): string => (source?.creator ?? creator).toLowerCase()
