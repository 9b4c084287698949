import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { WalletAccount } from '@heirloom/adapters/internal/wallet'
import { createPublicClient, http, parseAbi } from 'viem'
import { type HDAccount, mnemonicToAccount } from 'viem/accounts'
import { onTestFinished, vi } from 'vitest'
import { longestWait } from '../../../test/tier.ts'
import { createClient } from '../src/client/client.ts'
import { type Environment, readConfig } from '../src/config/config.ts'
import { serve } from '../src/server/serve.ts'
import { openWallet, type WalletOptions } from '../src/wallet/open-wallet.ts'

const accountAt = (addressIndex: number) =>
  mnemonicToAccount('test test test test test test test test test test test junk', { addressIndex })

/** Three accounts that hold money on every embedded chain; none is the wallet of the server. */
export const [ada, ben, cleo] = [accountAt(0), accountAt(1), accountAt(2)]

/** Returns the private key of one of them, as a command takes it. */
export const keyOf = (of: HDAccount): `0x${string}` =>
  `0x${Buffer.from(of.getHdKey().privateKey ?? []).toString('hex')}`

/** A server on an embedded chain, and wallets that act on it through its address alone. */
export type WalletHarness = Awaited<ReturnType<typeof openWalletHarness>>

/** Starts a server with an embedded chain on loopback, for one test. */
export async function openWalletHarness(variables: Environment = {}) {
  const harness = await startWalletHarness(variables)
  onTestFinished(harness.close)
  return harness
}

/** Starts a server with an embedded chain on loopback. */
export async function startWalletHarness(variables: Environment = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'wallet-'))
  const config = { DATA_DIR: join(folder, 'data'), PORT: '0', LOG_LEVEL: 'silent', ...variables }
  const server = await serve(readConfig(config))
  await server.ready
  const close = async () => {
    await server.close()
    rmSync(folder, { recursive: true })
  }
  const { url } = server
  const client = createClient({ url })
  const { agent, registry } = await client.deployment()
  const node = createPublicClient({ transport: http(`${url}/rpc`) })
  const walletOf = (account: WalletAccount, more: Partial<WalletOptions> = {}) =>
    openWallet({ url, account, timeout: 120_000, ...more })
  const ownerOf = async (tokenId: string) => {
    return node.readContract({
      address: registry as `0x${string}`,
      abi: parseAbi(['function ownerOf(uint256) view returns (address)']),
      functionName: 'ownerOf',
      args: [BigInt(tokenId)],
    })
  }
  const balanceOf = (address: `0x${string}`) => node.getBalance({ address })
  return { url, client, node, walletOf, balanceOf, ownerOf, agent, close }
}

/** Mints a token for an account with the wallet of the server, and returns its id. */
export async function mintFor(
  { client }: Pick<WalletHarness, 'client'>,
  { address: recipient }: { readonly address: `0x${string}` },
): Promise<string> {
  const memory = { data: { mood: 'calm' }, metadata: { category: 'research' } }
  return (await client.snapshot({ ...memory, recipient })).tokenId
}

/**
 * Reads the catalogue until it has what a wallet did: the server does not see that act, and learns of
 * it from the chain.
 */
export async function readUntil<T>(
  read: () => Promise<T>,
  isCurrent: (value: T) => boolean,
): Promise<T> {
  const current = await vi.waitUntil(
    async () => {
      const value = await read()
      return isCurrent(value) && { value }
    },
    { interval: 20, timeout: longestWait },
  )
  return current.value
}
