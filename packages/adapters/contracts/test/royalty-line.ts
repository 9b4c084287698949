import { keccak256, toHex } from 'viem'
import { type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts'
import { word } from './acts.ts'
import { type ContractHarness, party } from './contract-harness.ts'
import { type Receiver, send } from './receivers.ts'

/** An account that mints and forks tokens: a wallet, or a receiver contract. */
export type Maker = PrivateKeyAccount | Receiver

/** Returns funded wallets besides the parties of the harness. */
export async function fundedMakers(
  harness: ContractHarness,
  count: number,
): Promise<PrivateKeyAccount[]> {
  const makers = Array.from({ length: count }, (_, index) =>
    privateKeyToAccount(keccak256(toHex(`maker ${index}`))),
  )
  for (const { address: to } of makers) {
    await harness.client.sendTransaction({ account: party(0), to, value: 10n ** 24n })
  }
  return makers
}

/**
 * Creates a line of forks and returns the youngest. The first maker mints the root, and each next
 * maker forks its predecessor's token at the royalty of its generation.
 */
export async function lineOf(
  harness: ContractHarness,
  makers: readonly Maker[],
  royalties: readonly number[],
): Promise<bigint> {
  const at = (index: number) => makerAt(makers, index)
  const act = actOn(harness)
  await act(at(0), 'mint', [at(0).address, word(7), word(8), 0n])
  for (const [generation, royaltyBps] of royalties.entries()) {
    const parent = await harness.registry.read.totalSupply()
    await act(at(generation), 'list', [parent, 0n, 0n, 1n, BigInt(royaltyBps)])
    await act(at(generation + 1), 'fork', [parent, at(generation + 1).address, 10_000n], 1n)
  }
  return harness.registry.read.totalSupply()
}

/** Lists a token of a maker for sale, for rent and for fork at one price. */
export async function offer(
  harness: ContractHarness,
  { seller, tokenId, price }: { seller: Maker; tokenId: bigint; price: bigint },
): Promise<void> {
  await actOn(harness)(seller, 'list', [tokenId, price, price, price, 0n])
}

function actOn(harness: ContractHarness) {
  return (maker: Maker, functionName: string, args: readonly unknown[], value = 0n) => {
    const { address, abi } = functionName === 'mint' ? harness.registry : harness.marketplace
    return harness.mined(send(harness, maker, { address, abi, functionName, args, value }))
  }
}

/** Returns the maker of a generation. */
export function makerAt(makers: readonly Maker[], index: number): Maker {
  const maker = makers[index]
  if (!maker) throw new Error(`There is no maker ${index}.`)
  return maker
}
