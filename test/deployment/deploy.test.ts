import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import solc from 'solc'
import { type Hex, keccak256 } from 'viem'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { memoryMarketplaceBytecode } from '../../packages/adapters/src/ledger/deployment/creation.generated.ts'
import { type Anvil, startAnvil, testClient } from '../harness/chain/anvil.ts'
import {
  clientOf,
  deploy,
  newDeployer,
  newFolder,
  readJson,
  startDeploy,
} from '../harness/process/deployer.ts'
import { hostServer } from '../harness/process/server.ts'

let anvil: Anvil
beforeAll(async () => {
  anvil = await startAnvil()
})
afterAll(() => anvil.stop())

type Pair = { readonly registry: Hex; readonly marketplace: Hex }

const codeAt = (address: Hex) => clientOf(anvil).getCode({ address }) as Promise<Hex>

const lines = /^REGISTRY_ADDRESS=0x\w{40}\nMARKETPLACE_ADDRESS=0x\w{40}\n$/

describe('deploy', () => {
  it('prints the cost, deploys, verifies and records; a second run sends nothing', async () => {
    const { env, record, address, nonce } = await newDeployer(anvil)
    const first = await startDeploy(env).done
    expect(first).toMatchObject({ code: 0, out: expect.stringMatching(lines) })
    expect(first.told).toMatch(
      /^Deploying takes \d{8} gas at up to \d+ wei: \d+ wei, which is 0\.\d+ native tokens of chain 31337\.\nThe pair will have no prices in dollars, for ever; --dollar binds it to one\.\nSending transaction 0x\w{64} from 0x\w{40}\.\nAll codes on chain 31337 are ours and linked, in block \d+; recorded in \S+\/deployments\/31337\.json\.\n$/,
    )
    const [registry, marketplace] = first.pair
    const stored = readJson(record)
    const receipt = await clientOf(anvil).getTransactionReceipt({ hash: stored.txHash })
    expect(stored).toEqual({
      chainId: 31337,
      genesis: (await clientOf(anvil).getBlock({ blockNumber: 0n })).hash,
      registry,
      marketplace,
      forwarder: expect.stringMatching(/^0x\w{40}$/),
      depositCode: expect.stringMatching(/^0x\w{40}$/),
      dollar: null,
      deployer: address,
      txHash: receipt.transactionHash,
      blockNumber: Number(receipt.blockNumber),
      compiler: {
        version: expect.stringMatching(/^v0\.8\.37\+commit\.\w{8}$/),
        settings: expect.objectContaining({ evmVersion: 'osaka' }),
      },
      codeHashes: {
        registry: keccak256(await codeAt(registry)),
        marketplace: keccak256(await codeAt(marketplace)),
        forwarder: keccak256(await codeAt(stored.forwarder)),
        depositCode: keccak256(await codeAt(stored.depositCode)),
      },
      recordedAt: expect.stringMatching(/^20.*Z$/),
    })

    const second = await startDeploy(env).done
    expect(second).toMatchObject({ code: 0, out: first.out })
    expect(second.told).toBe(`The pair in ${record} is on chain 31337 already; nothing was sent.\n`)

    rmSync(record)
    const third = await deploy(env)
    expect(third).toMatchObject({ code: 0, out: first.out })
    expect(third.told).toMatch(/^The wallet 0x\w+ has deployed a pair .* nothing was sent\.\nAll /)
    expect(readJson(record)).toMatchObject({ registry, marketplace, deployer: address })
    expect(await nonce()).toBe(1)

    const stranger = await newDeployer(anvil)
    const named = { REGISTRY_ADDRESS: registry, MARKETPLACE_ADDRESS: marketplace }
    const fourth = await deploy({ ...stranger.env, ...named })
    expect(fourth).toMatchObject({ code: 0, out: first.out })
    expect(fourth.told).toBe(
      'The pair at MARKETPLACE_ADDRESS is on chain 31337 already; nothing was sent.\n',
    )
    expect(await stranger.nonce()).toBe(0)
  })

  it('is done by only one of two concurrent runs', async () => {
    const { env, nonce } = await newDeployer(anvil)
    const runs = await Promise.all([deploy(env), deploy(env)])
    expect(runs.map(({ code }) => code).toSorted()).toEqual([0, 1])
    expect(runs.find(({ code }) => code === 1)?.told).toMatch(/^Another .* is using .*deployments/)
    expect(await nonce()).toBe(1)
  })

  it('refuses foreign contracts, whether a setting or the record names them', async () => {
    const { env, record, nonce } = await newDeployer(anvil)
    const { pair } = await deploy(env)
    const [registry, marketplace] = pair
    const named = { REGISTRY_ADDRESS: registry, MARKETPLACE_ADDRESS: marketplace }
    const withoutCode = await deploy({
      ...env,
      ...named,
      MARKETPLACE_ADDRESS: `0x${'9'.repeat(40)}`,
    })
    expect(withoutCode).toMatchObject({ code: 1, out: '' })
    expect(withoutCode.told).toMatch(
      /^MARKETPLACE_ADDRESS names 0x9+, where this chain has no contract/,
    )
    const swapped = await deploy({ ...env, ...named, REGISTRY_ADDRESS: marketplace })
    expect(swapped.told).toBe(`REGISTRY_ADDRESS is not ${registry}, the one on this chain.\n`)

    const code = await codeAt(registry)
    const stray = code?.replaceAll(marketplace.slice(2).toLowerCase(), '9'.repeat(40)) as Hex
    await testClient(anvil).setCode({ address: registry, bytecode: stray })
    for (const [environment, name] of [
      [{ ...env, ...named }, 'REGISTRY_ADDRESS names'],
      [env, `${record} records`],
    ] as const) {
      const refused = await deploy(environment)
      expect(refused).toMatchObject({ code: 1, out: '' })
      expect(refused.told).toContain(`${name} ${registry}, `)
      expect(refused.told).toContain('a contract of another kind or version')
    }
    expect(await nonce()).toBe(1)
  })

  it('deploys again when the chain of the record is gone, but not when the node lags behind', async () => {
    const first = await newDeployer(anvil)
    await deploy(first.env)
    const other = await startAnvil()
    onTestFinished(other.stop)
    const second = await newDeployer(other)
    const moved = { ...second.env, DATA_DIR: first.env.DATA_DIR }
    const redeployed = await deploy(moved)
    expect(redeployed.code).toBe(0)
    expect(redeployed.told).toMatch(
      /^\S+ records a marketplace at 0x\w+, where this chain has no contract: it is another chain of id 31337, or was started anew\.\nDeploying takes /,
    )

    const ahead = {
      ...readJson(first.record),
      marketplace: `0x${'9'.repeat(40)}`,
      blockNumber: 5000,
    }
    writeFileSync(first.record, JSON.stringify(ahead))
    const late = await deploy(moved)
    expect(late).toMatchObject({ code: 1, out: '' })
    expect(late.told).toMatch(/records block 5000, and the node at RPC_URL is at block 1; wait /)
    for (const damaged of ['{"chainId":31337', '{"chainId":31337}']) {
      writeFileSync(first.record, damaged)
      const refused = await deploy(moved)
      expect(refused.told).toMatch(/31337\.json is damaged; restore it, or remove it .*\.\n$/)
    }
    expect(await second.nonce()).toBe(1)
  })

  it('rehearses without a key, and sends nothing that the wallet cannot pay for', async () => {
    const { address, env, keyless, record, nonce } = await newDeployer(anvil, { funds: 5n })
    const withoutKey = await startDeploy(keyless, '--dry-run').done
    expect(withoutKey).toMatchObject({ code: 0, out: '' })
    expect(withoutKey.told).toMatch(
      /^Dry run: .*\nDeploying takes \d{8} gas .*\nThe pair will have no .*\nThe addresses follow from the wallet; set AGENT_PRIVATE_KEY or AGENT_KEY_SERVICE to see them\.\n$/,
    )
    const dry = await deploy(env, '--dry-run')
    expect(dry).toMatchObject({ code: 0, out: '' })
    const [, needed] = / holds 5 wei; (\d+) are needed: it could not pay\.\n$/.exec(dry.told) ?? []
    expect(existsSync(join(env.DATA_DIR, 'deployments'))).toBe(false)

    const short = await startDeploy(env).done
    expect(short).toMatchObject({ code: 1, out: '' })
    expect(short.told).toMatch(
      new RegExp(
        ` has \\S+ ether \\(5 wei\\) and needs \\S+ ether \\(${needed} wei\\); send funds to it\\.\n$`,
      ),
    )
    expect([await nonce(), existsSync(record)]).toEqual([0, false])

    await testClient(anvil).setBalance({ address, value: BigInt(needed ?? 0) })
    expect((await deploy(env, '--dry-run')).told).toMatch(/ are needed: it could pay\.\n$/)
    const { pair } = await deploy(env)
    expect(dry.told).toContain(`The registry would be ${pair[0]}, the marketplace ${pair[1]}.`)
  })

  it('prints in one sentence why it fails', async () => {
    const { env, keyless, nonce } = await newDeployer(anvil)
    const dead = await startDeploy({ ...env, RPC_URL: 'http://user:hidden@127.0.0.1:1' }).done
    expect(dead).toMatchObject({ code: 1, out: '' })
    expect(dead.told).toBe('The chain did not answer eth_chainId; try again when it is back.\n')
    const wrong = await deploy({ ...env, CHAIN_ID: '1' })
    expect(wrong.told).toBe('CHAIN_ID is 1, but the node at RPC_URL serves chain 31337.\n')
    expect(await deploy(keyless)).toMatchObject({
      code: 1,
      told: 'AGENT_PRIVATE_KEY or AGENT_KEY_SERVICE must be set, for its wallet pays; --dry-run needs none.\n',
    })
    await testClient(anvil).setBlockGasLimit({ gasLimit: 1_000_000n })
    const small = await deploy(env)
    await testClient(anvil).setBlockGasLimit({ gasLimit: 30_000_000n })
    expect(small).toMatchObject({ code: 1, out: '' })
    expect(small.told).toMatch(/^RPC_URL names a chain that would refuse the contracts: .+\.\n$/)
    expect(await nonce()).toBe(0)
  })

  it('prints a compiler input that produces the deployed bytes', async () => {
    const { out, told, code } = await startDeploy({}, '--standard-json').done
    expect([code, told]).toEqual([0, expect.stringMatching(/^Compiler v0\.8\.37\+commit\./)])
    expect(told).toContain(solc.version().replace('.Emscripten.clang', ''))
    const { contracts, errors } = JSON.parse(solc.compile(out))
    expect(errors).toBeUndefined()
    const { MemoryMarketplace } = contracts['src/MemoryMarketplace.sol']
    const { MemoryRegistry } = contracts['src/MemoryRegistry.sol']
    expect(`0x${MemoryMarketplace.evm.bytecode.object}`).toBe(memoryMarketplaceBytecode)
    const { env } = await newDeployer(anvil)
    const { pair } = await deploy(env)
    for (const [index, { evm }] of [MemoryRegistry, MemoryMarketplace].entries()) {
      const { object, immutableReferences } = evm.deployedBytecode
      const deployed = await codeAt(pair[index] ?? '0x')
      const blank = Buffer.from(deployed?.slice(2) ?? '', 'hex')
      for (const { start, length } of Object.values<{ start: number; length: number }[]>(
        immutableReferences,
      ).flat()) {
        blank.fill(0, start, start + length)
      }
      expect(blank.toString('hex')).toBe(object)
    }
  })

  it('deploys on the embedded chain of a server, too', async () => {
    const DATA_DIR = newFolder()
    const server = await hostServer({ DATA_DIR })
    onTestFinished(() => void server.end())
    const RPC_URL = `${server.url}/rpc`
    const { registry, marketplace } = (await (
      await fetch(`${server.url}/api/deployment`)
    ).json()) as Pair
    const ownKey = readFileSync(join(DATA_DIR, 'agent.key'), 'utf8').trim()
    const [dry, own, first] = await Promise.all([
      deploy({ DATA_DIR: newFolder(), RPC_URL }, '--dry-run'),
      deploy({ DATA_DIR: newFolder(), RPC_URL, AGENT_PRIVATE_KEY: ownKey }),
      deploy({ DATA_DIR, RPC_URL, AGENT_PRIVATE_KEY: wellKnownKey }),
    ])
    expect(dry).toMatchObject({ code: 0, out: '' })
    expect(dry.told).toMatch(/\nDeploying takes \d{8} gas /)
    expect(own.pair).toEqual([registry, marketplace])
    expect(first.told).toMatch(/\nAll codes on chain 31337 are ours and linked, in block 3; /)
    const second = await deploy({ DATA_DIR, RPC_URL, AGENT_PRIVATE_KEY: wellKnownKey })
    expect(second).toMatchObject({ code: 0, out: first.out })
    expect(await clientOf({ url: new URL(RPC_URL) }).getBlockNumber()).toBe(3n)
  })
})

/** The key of the first well-known test account, which the embedded chain funds. */
const wellKnownKey = '0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80'
