import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { createWalletClient, http } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { type Anvil, startAnvil, testClient } from '../harness/chain/anvil.ts'
import {
  clientOf,
  deploy,
  newDeployer,
  readJson,
  startDeploy,
} from '../harness/process/deployer.ts'

let anvil: Anvil
beforeAll(async () => {
  anvil = await startAnvil()
})
afterAll(() => anvil.stop())

type Deployer = Awaited<ReturnType<typeof newDeployer>>

/** Opens a proxy to the chain; the test handles each call by its method, and may pass it on. */
async function openProxy(onCall: (method: string, pass: () => Promise<string>) => Promise<string>) {
  const proxy = createServer(async (request, response) => {
    const body = await text(request)
    const headers = { 'content-type': 'application/json' }
    const pass = async () => (await fetch(anvil.url, { method: 'POST', headers, body })).text()
    response.end(await onCall(JSON.parse(body).method, pass))
  })
  await once(proxy.listen(0, '127.0.0.1'), 'listening')
  onTestFinished(() => {
    proxy.closeAllConnections()
    proxy.close()
  })
  return `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`
}

const never = new Promise<never>(() => undefined)

/** Kills a first run while it sends: before the chain has the transaction, or right after. */
async function killWhenSending({ env }: Deployer, instant: 'before' | 'after'): Promise<void> {
  const RPC_URL = await openProxy(async (method, pass) => {
    if (method !== 'eth_sendRawTransaction') return pass()
    if (instant === 'after') await pass()
    run.process.kill('SIGKILL')
    return never
  })
  const run = startDeploy({ ...env, RPC_URL })
  expect(await run.done).toMatchObject({ code: null, out: '' })
}

async function mine(): Promise<void> {
  await testClient(anvil).setAutomine(true)
  await testClient(anvil).mine({ blocks: 1 })
}

/** Expects the single deployment of a wallet in its record, and no unfinished one. */
async function expectDeployed({ record, signed, address }: Deployer, out: string): Promise<void> {
  const { registry, marketplace, txHash, blockNumber } = readJson(record)
  expect(out).toBe(`REGISTRY_ADDRESS=${registry}\nMARKETPLACE_ADDRESS=${marketplace}\n`)
  const receipt = await clientOf(anvil).getTransactionReceipt({ hash: txHash })
  expect(receipt).toMatchObject({ status: 'success', blockNumber: BigInt(blockNumber) })
  expect(receipt.from).toBe(address.toLowerCase())
  expect(receipt.contractAddress).toBe(marketplace.toLowerCase())
  expect(existsSync(signed)).toBe(false)
}

describe('a run that is killed while it sends', () => {
  it.each(['before', 'after'] as const)(
    '%s the chain has the transaction is finished by the next',
    async (instant) => {
      const deployer = await newDeployer(anvil)
      await killWhenSending(deployer, instant)
      expect([existsSync(deployer.signed), existsSync(deployer.record)]).toEqual([true, false])
      const rehearsed = await deploy(deployer.keyless, '--dry-run')
      expect(rehearsed.told).toContain('31337.signed.json records an unfinished deployment')
      expect(await deployer.nonce()).toBe(instant === 'before' ? 0 : 1)

      const next = await deploy(deployer.env)
      expect(next.code).toBe(0)
      expect(next.told).toMatch(
        instant === 'before'
          ? /^The chain never got the deployment in \S+\.signed\.json; it is sent again unchanged\.\n/
          : /^An earlier run sent the deployment; nothing was sent again\.\nAll codes /,
      )
      await expectDeployed(deployer, next.out)
      expect(await deployer.nonce()).toBe(1)
    },
  )

  it('is awaited when its transaction is not mined yet', async () => {
    const deployer = await newDeployer(anvil)
    await testClient(anvil).setAutomine(false)
    await killWhenSending(deployer, 'after')
    const RPC_URL = await openProxy(async (method, pass) => {
      if (method === 'eth_getTransactionReceipt') await mine()
      return pass()
    })
    const next = await deploy({ ...deployer.env, RPC_URL })
    expect(next.told).toMatch(/^Waiting for transaction 0x\w{64}, which an earlier run sent\.\nAn /)
    await expectDeployed(deployer, next.out)
    expect(await deployer.nonce()).toBe(1)
  })

  it('is sent again, not deployed twice, when the node has forgotten its transaction', async () => {
    const deployer = await newDeployer(anvil)
    await testClient(anvil).setAutomine(false)
    await killWhenSending(deployer, 'after')
    const forgotten = new Set(['eth_getTransactionByHash'])
    const RPC_URL = await openProxy(async (method, pass) => {
      if (forgotten.delete(method)) return '{"jsonrpc":"2.0","id":0,"result":null}'
      if (method === 'eth_getTransactionReceipt') await mine()
      return pass()
    })
    const next = await deploy({ ...deployer.env, RPC_URL })
    expect(next.told).toContain('it is sent again unchanged.')
    expect(await deployer.nonce()).toBe(1)
    await expectDeployed(deployer, next.out)
  })

  it('is replaced when another transaction used its nonce', async () => {
    const deployer = await newDeployer(anvil)
    await killWhenSending(deployer, 'before')
    const account = privateKeyToAccount(deployer.key)
    const wallet = createWalletClient({ account, transport: http(anvil.url.href) })
    const hash = await wallet.sendTransaction({ to: account.address, value: 1n, chain: null })
    await clientOf(anvil).waitForTransactionReceipt({ hash })
    const next = await deploy(deployer.env)
    expect(next.told).toMatch(
      /^The deployment in \S+ failed, or another transaction took its place\.\nDeploying takes /,
    )
    await expectDeployed(deployer, next.out)
    expect(await deployer.nonce()).toBe(2)
  })

  it('is not replaced by another wallet', async () => {
    const [one, other] = [await newDeployer(anvil), await newDeployer(anvil)]
    await killWhenSending(one, 'before')
    const run = await deploy({ ...one.env, AGENT_PRIVATE_KEY: other.key })
    expect(run).toMatchObject({ code: 1, out: '' })
    expect(run.told).toMatch(
      /^AGENT_PRIVATE_KEY is not the key of 0x\w{40}, whose deployment is unfinished; use that key, or remove \S+\.signed\.json\.\n$/,
    )
    expect([await one.nonce(), await other.nonce()]).toEqual([0, 0])
  })
})
