const fields = [
  { name: 'from', type: 'address' },
  { name: 'to', type: 'address' },
  { name: 'value', type: 'uint256' },
  { name: 'validAfter', type: 'uint256' },
  { name: 'validBefore', type: 'uint256' },
  { name: 'nonce', type: 'bytes32' },
] as const

/** The EIP-712 types of the transfers that a holder of dollars signs (EIP-3009). */
export const authorizationTypes = {
  TransferWithAuthorization: fields,
  ReceiveWithAuthorization: fields,
} as const
