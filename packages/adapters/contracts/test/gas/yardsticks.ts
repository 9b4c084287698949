import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import type { Abi, Account, Hex } from 'viem'
import { code, runSolc } from '../../solc.ts'
import { compileSolidity } from '../../solidity.ts'
import { openContractHarness } from '../contract-harness.ts'
import { bytesOf, type Gas, meter, participants, terms } from './meter.ts'

const { creator, buyer, renter, forker, collector } = participants
const { price, rentPerDay, forkPrice, royaltyBps } = terms

// A transaction may use at most 2^24 gas (EIP-7825), which is fewer than 100 of these.
const batchSize = 50

/** Measures the same operations of a contract that an ordinary project would write. */
export async function measureOrdinary(): Promise<Gas> {
  const harness = await openContractHarness()
  const { gas, measure } = meter(harness)
  const write = await writerOf(harness)
  const uriOf = (seed: number) => `v2:ipfs://${bytesOf(seed)}`
  const owners = [collector, buyer, renter, forker, creator, creator]
  for (const [seed, owner] of owners.entries()) {
    await measure('mint', write(owner, 'mint', [owner.address, bytesOf(seed), uriOf(seed), 0n]))
  }
  const seeds = Array.from({ length: batchSize }, (_, seed) => seed)
  const batch = [creator.address, seeds.map(bytesOf), seeds.map(uriOf)]
  await measure('mintBatch(50), per token', write(creator, 'mintBatch', batch), batchSize)
  await measure('list', write(creator, 'list', [6n, price, rentPerDay, forkPrice, royaltyBps]))
  await measure('rent', write(renter, 'rent', [6n, 7n], rentPerDay * 7n))
  await measure('renew', write(renter, 'rent', [6n, 7n], rentPerDay * 7n))
  await measure('fork', write(forker, 'fork', [6n], forkPrice))
  await measure('royalty', write(renter, 'payRoyalty', [6n], forkPrice))
  await measure('buy, first sale', write(buyer, 'buy', [6n], price))
  await measure(
    'list, resale',
    write(buyer, 'list', [6n, price, rentPerDay, forkPrice, royaltyBps]),
  )
  await measure('buy, resale', write(collector, 'buy', [6n], price))
  await harness.close()
  return gas
}

type Write = (
  account: Account,
  functionName: string,
  args: readonly unknown[],
  value?: bigint,
) => Promise<Hex>

async function writerOf(harness: Awaited<ReturnType<typeof openContractHarness>>): Promise<Write> {
  const { OrdinaryMemory } = compileSolidity(['test/yardstick/OrdinaryMemory.sol'])
  if (!OrdinaryMemory) throw new Error('OrdinaryMemory was not compiled.')
  const address = await harness.deploy(OrdinaryMemory)
  const abi: Abi = OrdinaryMemory.abi
  return (account, functionName, args, value = 0n) =>
    harness.client.writeContract({ address, abi, functionName, args, account, value })
}

const libraries = { PlainOpenZeppelin: 'OpenZeppelin', PlainSolady: 'Solady' }

/** Measures a mint with the usual ERC-721 libraries, which records nothing but the owner. */
export async function measurePlain(): Promise<Gas> {
  const harness = await openContractHarness()
  const { gas, measure } = meter(harness)
  const { creator: account } = participants
  for (const [name, library] of Object.entries(libraries)) {
    const { abi, bytecode } = compileLibrary(name)
    const address = await harness.deploy({ abi, bytecode })
    const mint = { address, abi, functionName: 'mint', args: [account.address], account }
    await measure('the first of its owner', harness.client.writeContract(mint))
    await measure(`mint, ${library}`, harness.client.writeContract(mint))
  }
  await harness.close()
  const { 'the first of its owner': _, ...steady } = gas
  return steady
}

// Solady's sources cause warnings, which `compileSolidity` treats as failures.
function compileLibrary(name: string): { readonly abi: Abi; readonly bytecode: Hex } {
  const path = `test/yardstick/${name}.sol`
  const text = readFileSync(join(import.meta.dirname, '../..', path), 'utf8')
  const { contracts, errors } = runSolc(
    { [path]: text },
    { [path]: { [name]: code } },
    { find: readPackage },
  )
  const compiled = contracts?.[path]?.[name]
  if (!compiled) throw new Error(errors?.map((error) => error.formattedMessage).join('\n'))
  return { abi: compiled.abi, bytecode: `0x${compiled.evm.bytecode.object}` }
}

const require = createRequire(import.meta.url)

function readPackage(path: string): string {
  return readFileSync(require.resolve(path), 'utf8')
}
