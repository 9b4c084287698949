import { type Hex, toFunctionSelector } from 'viem'
import { memoryMarketplaceAbi, memoryRegistryAbi } from '../contracts.generated.ts'

/**
 * The functions of each contract that are relayed: those that give nobody a right over what the signer
 * owns, but for the one token or the credit that the call names. An approval and `listMany` are not among
 * them, since a wallet shows the data of a forward request as mere bytes.
 */
const relayed = {
  registry: [
    ...['mint', 'mintBatch', 'mintDescribed', 'transferFrom', 'safeTransferFrom'],
    ...['nameHeir', 'heartbeat', 'announceTakeover', 'takeOver'],
  ],
  marketplace: ['list', 'listInDollars', 'withdraw', 'withdrawDollars', 'takeOverCredit'],
} as const

/** A contract that relayed calls may go to. */
export type RelayedContract = keyof typeof relayed

const abis = { registry: memoryRegistryAbi, marketplace: memoryMarketplaceAbi } as const

/** The number of parameters of `safeTransferFrom` without data for the recipient. */
const plainTransfer = 3

const selectors: Readonly<Record<RelayedContract, ReadonlyMap<string, string>>> = {
  registry: selectorsOf('registry'),
  marketplace: selectorsOf('marketplace'),
}

/** Returns the name of the relayed function that call data calls; `undefined` for any other. */
export const relayedAct = (contract: RelayedContract, data: Hex): string | undefined =>
  selectors[contract].get(data.slice(0, 10).toLowerCase())

function selectorsOf(contract: RelayedContract): ReadonlyMap<string, string> {
  const names: readonly string[] = relayed[contract]
  return new Map(
    abis[contract].flatMap((it) => {
      if (it.type !== 'function' || !names.includes(it.name)) return []
      if (it.name === 'safeTransferFrom' && it.inputs.length !== plainTransfer) return []
      return [[toFunctionSelector(it), it.name] as const]
    }),
  )
}
