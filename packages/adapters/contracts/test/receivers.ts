import { type Abi, type Account, type Address, encodeFunctionData, type Hex } from 'viem'
import { type Artifact, compileSolidity } from '../solidity.ts'
import { type ContractHarness, party } from './contract-harness.ts'

/** A deployed contract of `receivers/Receivers.sol`. */
export type Receiver = { readonly abi: Abi; readonly address: Address }

/** A contract call. */
export type Call = {
  readonly address: Address
  readonly abi: Abi
  readonly functionName: string
  readonly args: readonly unknown[]
  readonly value?: bigint
}

// Compiled on import, or the first test that needs one would be slow.
const compiled: Record<string, Artifact> = compileSolidity(['test/receivers/Receivers.sol'])

/** Deploys a receiver by name. */
export async function receiver(
  harness: ContractHarness,
  name: string,
  args: readonly unknown[] = [],
): Promise<Receiver> {
  const artifact = compiled[name]
  if (!artifact) throw new Error(`There is no receiver ${name}.`)
  return { abi: artifact.abi, address: await harness.deploy(artifact, args) }
}

// Enough for every call of these tests; without an estimate, a reverting call is mined, too.
const gas = 3_000_000n

/** Sends a call from an account, or through a receiver. */
export function send(
  { client }: Pick<ContractHarness, 'client'>,
  from: Account | Receiver,
  call: Call,
): Promise<Hex> {
  const { address, value = 0n } = call
  if (!('abi' in from)) return client.writeContract({ ...call, value, account: from, gas })
  const args = [address, value, encodeFunctionData(call)]
  return client.writeContract({ ...from, functionName: 'act', args, value, account: party(0), gas })
}
