import { knownChains } from '@heirloom/adapters/contracts'
import { getAddress, type Hex, isAddress } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, it, test } from 'vitest'
import { compileSolidity } from '../../packages/adapters/contracts/solidity.ts'
import { memoryMarketplaceAbi } from '../../packages/adapters/src/ledger/contracts.generated.ts'
import { testDollarBytecode } from '../../packages/adapters/src/ledger/deployment/test-dollar.generated.ts'
import { type Anvil, startAnvil } from '../harness/chain/anvil.ts'
import { deployContract } from '../harness/chain/contract-wallets.ts'
import {
  clientOf,
  deploy,
  newDeployer,
  preview,
  readJson,
  startDeploy,
} from '../harness/process/deployer.ts'

let anvil: Anvil
beforeAll(async () => {
  anvil = await startAnvil()
})
afterAll(() => anvil.stop())

/** Deploys a token from a wallet of its own, and returns its address. */
async function deployToken(bytecode: Hex): Promise<Hex> {
  const { key } = await newDeployer(anvil)
  return getAddress(await deployContract(anvil.url, bytecode, privateKeyToAccount(key)))
}

describe('deploy --dollar', () => {
  it('binds the pair to the dollar, and records it', async () => {
    const dollar = await deployToken(testDollarBytecode)
    const { env, record } = await newDeployer(anvil)
    const run = await startDeploy(env, '--dollar', dollar, '--any-dollar').done
    expect(run.code).toBe(0)
    expect(run.told).toContain(
      `The dollar is TUSD at ${dollar} (Heirloom Test Dollar, version 1).\nDeploying takes `,
    )
    expect(readJson(record)).toMatchObject({ dollar })
    const marketplace = { address: run.pair[1], abi: memoryMarketplaceAbi } as const
    const bound = await clientOf(anvil).readContract({ ...marketplace, functionName: 'dollar' })
    expect(bound).toBe(dollar)
    expect(await deploy({ ...env }, { dollar })).toMatchObject({ code: 0, out: run.out })
    const other = await deploy(env, { dollar: `0x${'9'.repeat(40)}` })
    expect(other.told).toMatch(
      /^--dollar names 0x9+, and the pair of 0x\w+ is bound to the dollar 0x\w+; leave --dollar out /,
    )
  })

  it('refuses a dollar that is not known on the chain, unless it is allowed', async () => {
    const dollar = await deployToken(testDollarBytecode)
    const { env, nonce } = await newDeployer(anvil)
    for (const attempt of [deploy, preview]) {
      const run = await attempt(env, { dollar })
      expect(run).toMatchObject({ code: 1, out: '' })
      expect(run.told).toContain(`--dollar names ${dollar}, and no dollar is known on chain 31337;`)
    }
    expect((await deploy(env, { dollar: 'usdc' })).told).toContain(
      'usdc is not known on chain 31337',
    )
    expect(await nonce()).toBe(0)
  })

  it.each([
    ['PlainDollar', 'does not say which authorizations were used'],
    ['EighteenDollar', 'has 18 decimals, and prices in dollars have 6'],
    ['OtherDomainDollar', 'has another EIP-712 domain than its name and version say'],
    ['CredulousDollar', 'takes a TransferWithAuthorization that nobody signed'],
    [undefined, 'is no ERC-20 token'],
  ])('refuses %s before it pays: %s', async (name, problem) => {
    const unfit = compileSolidity(['test/dollars/UnfitDollars.sol'])
    const dollar = name ? await deployToken(unfit[name]?.bytecode ?? '0x') : deadAddress
    const { env, nonce } = await newDeployer(anvil)
    const run = await deploy(env, { dollar, anyDollar: true })
    expect(run).toMatchObject({ code: 1, out: '' })
    expect(run.told).toBe(
      `The dollar ${dollar} ${problem}; a pair needs an ERC-20 token with EIP-3009, such as USDC.\n`,
    )
    expect(await nonce()).toBe(0)
  })
})

const deadAddress: Hex = '0x000000000000000000000000000000000000dEaD'

test('every known dollar is spelled with its checksum, and named once', () => {
  const known = Object.values(knownChains)
  for (const { dollar } of known) expect(isAddress(dollar, { strict: true })).toBe(true)
  expect(new Set(known.map(({ dollar }) => dollar)).size).toBe(known.length)
})
