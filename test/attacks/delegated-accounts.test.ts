import { type Account, account, challenge, isFailure, type TokenId } from '@heirloom/core'
import { wallets } from '@heirloom/testkit'
import { encodeDeployData, type Hex } from 'viem'
import { generatePrivateKey, type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Chain } from '../../packages/adapters/src/ledger/connection.ts'
import { deployContract, walletContract } from '../harness/chain/contract-wallets.ts'
import { openEmbeddedHarness } from '../harness/chain/embedded.ts'
import type { OpenHarness } from '../harness/chain/evm.ts'
import { processorTime, yardstick } from '../harness/yardstick.ts'

// An account that delegates its code (EIP-7702) has a private key and code as well.

let world: OpenHarness
beforeAll(async () => {
  world = await openEmbeddedHarness()
})
afterAll(() => world.close())

const service = () => world.services[0] as OpenHarness['services'][number]
const newAccount = () => privateKeyToAccount(generatePrivateKey())
const bundle = { data: { for: 'the owner' }, metadata: { category: 'research' } }
const none: Hex = '0x0000000000000000000000000000000000000000'

/** Sends a transaction in which an account delegates to code; somebody else pays for it. */
async function delegate(from: PrivateKeyAccount, code: Hex, nonce: number): Promise<void> {
  const authorization = await from.signAuthorization({ chainId: 31337, address: code, nonce })
  const sender = wallets[3]
  const request = (call: { readonly method: string; readonly params: readonly unknown[] }) =>
    (world.chain as Chain).request(call as Parameters<Chain['request']>[0])
  const [gasPrice, count] = (await Promise.all([
    request({ method: 'eth_gasPrice', params: [] }),
    request({ method: 'eth_getTransactionCount', params: [sender.address, 'latest'] }),
  ])) as [Hex, Hex]
  const raw = await sender.signTransaction({
    type: 'eip7702',
    chainId: 31337,
    nonce: Number(count),
    gas: 200_000n,
    to: from.address,
    maxFeePerGas: BigInt(gasPrice) * 2n,
    maxPriorityFeePerGas: 0n,
    authorizationList: [authorization],
  })
  await request({ method: 'eth_sendRawTransaction', params: [raw] })
  const found = await request({ method: 'eth_getCode', params: [from.address, 'latest'] })
  expect(found).toBe(code === none ? '0x' : `0xef0100${code.slice(2).toLowerCase()}`)
}

/** Downloads as an account with a signature of `signer`; returns `opened` or the code of the failure. */
async function download(id: TokenId, owner: Account, signer: PrivateKeyAccount): Promise<string> {
  const timestamp = Math.floor(world.now() / 1000)
  const message = challenge(id, { account: owner, timestamp })
  const proof = { account: owner, timestamp, signature: await signer.signMessage({ message }) }
  const opened = service().download({ tokenId: id, proof })
  return opened.then(
    () => 'opened',
    (error: unknown) => (isFailure(error) ? error.code : String(error)),
  )
}

const ownedBy = async (recipient: Account) =>
  (await service().snapshot({ bundle, recipient })).tokenId

const codes = ['EndlessWallet', 'BabblingWallet', 'WordyRefusal', 'RefusingWallet']

describe('an account with delegated code', () => {
  test.each(codes)(
    'opens with its own key, and with no other, whatever %s answers',
    async (name) => {
      const own = newAccount()
      const owner = account(own.address)
      const id = await ownedBy(owner)
      await delegate(own, await deployContract(world.chain, walletContract(name).bytecode), 0)
      expect(await download(id, owner, own)).toBe('opened')
      const spent = await processorTime(async () =>
        expect(await download(id, owner, newAccount())).toBe('proof/not-signed'),
      )
      expect(spent).toBeLessThan(200 * (await yardstick()))
    },
  )

  test('opens for whom its code accepts, only what it owns, and only until the delegation ends', async () => {
    const [own, signer] = [newAccount(), newAccount()]
    const owner = account(own.address)
    const [id, others] = [await ownedBy(owner), await ownedBy(account(newAccount().address))]
    const { abi, bytecode } = walletContract('ContractWallet')
    const data = encodeDeployData({ abi, bytecode, args: [signer.address] })
    await delegate(own, await deployContract(world.chain, data), 0)
    expect(await download(id, owner, signer)).toBe('opened')
    expect(await download(others, owner, signer)).toBe('access/denied')
    expect(await download(others, owner, own)).toBe('access/denied')
    await delegate(own, none, 1)
    expect(await download(id, owner, signer)).toBe('proof/not-signed')
    expect(await download(id, owner, own)).toBe('opened')
  })
})
