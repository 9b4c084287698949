import { expect, test } from 'vitest'
import { isOwnMemory } from './source-creator.ts'

const [wallet, agent] = [`0x${'aB'.repeat(20)}`, `0x${'cD'.repeat(20)}`]

/** Returns whether a snapshot of an account is the own of another on a server. */
const isOwn = (account: string, creator: string, openActs: readonly string[]) => {
  const token = { tokenId: '1', parent: '0', link: null, creator }
  const lineage = async () => ({ token, ancestors: [] })
  const deployment = async () => ({ agent: agent.toLowerCase(), openActs })
  return isOwnMemory(account, { lineage, deployment }, '1', undefined)
}

test.each([
  ['a wallet on a server without API keys', wallet, wallet, ['snapshot'], true],
  ['a wallet on a server with API keys', wallet, wallet, ['seal'], true],
  ['the wallet of a server without API keys', agent, agent, ['snapshot'], true],
  ['the wallet of a server with API keys', agent, agent, ['seal'], false],
  ['another wallet', wallet, agent, ['snapshot'], false],
])('whether a memory is the own of %s', async (_, account, creator, openActs, expected) => {
  expect(await isOwn(account.toUpperCase().replace('X', 'x'), creator, openActs)).toBe(expected)
})
