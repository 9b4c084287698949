import { getTypesForEIP712Domain, serializeTypedData, type TypedDataDefinition } from 'viem'

/** Encodes typed data as wallets take it, with the type of its domain. */
export function encodeTypedData({
  domain = {},
  types,
  primaryType,
  message,
}: TypedDataDefinition): string {
  const all = { EIP712Domain: getTypesForEIP712Domain({ domain }), ...types }
  return serializeTypedData({ domain, types: all, primaryType, message } as never)
}
