import { type Abi, type Account, type Address, encodeFunctionData, type Hex } from 'viem'
import { type Artifact, compileSolidity } from '../solidity.ts'
import { party, type Stage } from '../contract-harness.ts'

/** A deployed contract of `receivers/Receivers.sol`. */
export type Receiver = { readonly abi: Abi; readonly address: Address }

/** A call for somebody to make. */
export type Call = {
  readonly address: Address
  readonly abi: Abi
  readonly functionName: string
  readonly args: readonly unknown[]
  readonly value?: bigint
}

// Compiled on import: the first test that needs one would seem slow.
const compiled: Record<string, Artifact> = compileSolidity(['test/receivers/Receivers.sol'])

/** Deploys a receiver by name. */
export async function receiver(
  stage: Stage,
  name: string,
  args: readonly unknown[] = [],
): Promise<Receiver> {
  const artifact = compiled[name]
  if (!artifact) throw new Error(`There is no receiver ${name}.`)
  return { abi: artifact.abi, address: await stage.deploy(artifact, args) }
}

// Enough for every call of these tests, so that none is estimated and a refused one is mined all the same.
const gas = 3_000_000n

/** Sends a call from an account, or from a receiver that is told to make it. */
export function send(
  { client }: Pick<Stage, 'client'>,
  from: Account | Receiver,
  call: Call,
): Promise<Hex> {
  const { address, value = 0n } = call
  if (!('abi' in from)) return client.writeContract({ ...call, value, account: from, gas })
  const args = [address, value, encodeFunctionData(call)]
  return client.writeContract({ ...from, functionName: 'act', args, value, account: party(0), gas })
}
