import { keccak256, toHex } from 'viem'
import { type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts'
import { party, type Stage } from '../contract-harness.ts'
import { word } from './acts.ts'
import { type Receiver, send } from './receivers.ts'

/** Whoever can make a token and fork one: a wallet, or a contract that does as it is told. */
export type Maker = PrivateKeyAccount | Receiver

/** Returns so many wallets with money, besides the parties of the stage. */
export async function fundedMakers(stage: Stage, count: number): Promise<PrivateKeyAccount[]> {
  const makers = Array.from({ length: count }, (_, index) =>
    privateKeyToAccount(keccak256(toHex(`maker ${index}`))),
  )
  for (const { address: to } of makers) {
    await stage.client.sendTransaction({ account: party(0), to, value: 10n ** 24n })
  }
  return makers
}

/**
 * Makes a line of forks, the root by the first maker and each fork by the next under the royalty of
 * its place, and returns the youngest; every maker owns its own token.
 */
export async function lineOf(
  stage: Stage,
  makers: readonly Maker[],
  royalties: readonly number[],
): Promise<bigint> {
  const at = (index: number) => makerAt(makers, index)
  const tell = tellOn(stage)
  await tell(at(0), 'mint', [at(0).address, word(7), word(8), 0n])
  for (const [place, royaltyBps] of royalties.entries()) {
    const parent = await stage.registry.read.totalSupply()
    await tell(at(place), 'list', [parent, 0n, 0n, 1n, BigInt(royaltyBps)])
    await tell(at(place + 1), 'fork', [parent, at(place + 1).address, 10_000n], 1n)
  }
  return stage.registry.read.totalSupply()
}

/** Lists a token of a maker in every way at one price. */
export async function offer(
  stage: Stage,
  { seller, tokenId, price }: { seller: Maker; tokenId: bigint; price: bigint },
): Promise<void> {
  await tellOn(stage)(seller, 'list', [tokenId, price, price, price, 0n])
}

function tellOn(stage: Stage) {
  return (who: Maker, functionName: string, args: readonly unknown[], value = 0n) => {
    const { address, abi } = functionName === 'mint' ? stage.registry : stage.marketplace
    return stage.mined(send(stage, who, { address, abi, functionName, args, value }))
  }
}

/** Returns the maker of a generation. */
export function makerAt(makers: readonly Maker[], index: number): Maker {
  const maker = makers[index]
  if (!maker) throw new Error(`There is no maker ${index}.`)
  return maker
}
