import {
  getTypesForEIP712Domain,
  type Hex,
  serializeTypedData,
  type TypedDataDefinition,
  type TypedDataDomain,
  type TypedDataParameter,
} from 'viem'
import type { ConnectedWallet } from './connected-wallet.ts'
import { toWalletProblem } from './to-wallet-problem.ts'

/** A message that a wallet shows and signs member by member (EIP-712). */
export type TypedMessage = {
  readonly domain: TypedDataDomain
  readonly types: Readonly<Record<string, readonly TypedDataParameter[]>>
  readonly primaryType: string
  readonly message: Readonly<Record<string, unknown>>
}

/**
 * Lets a wallet sign a typed message (EIP-712).
 *
 * @throws {Problem} when the wallet or its user refuses
 */
export async function signTypedData(
  { account, provider }: Pick<ConnectedWallet, 'account' | 'provider'>,
  { types, ...message }: TypedMessage,
): Promise<Hex> {
  const domainTypes = { EIP712Domain: getTypesForEIP712Domain({ domain: message.domain }) }
  const typed = { ...message, types: { ...domainTypes, ...types } } as TypedDataDefinition
  const text = serializeTypedData(typed)
  const params = [account, text]
  try {
    return (await provider.request({ method: 'eth_signTypedData_v4', params })) as Hex
  } catch (error) {
    throw toWalletProblem(error)
  }
}
