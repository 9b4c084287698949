import type { Grant, GrantId, Registry } from '@heirloom/core'
import { hashTypedData } from 'viem'

const grantTypes = {
  Grant: [
    { name: 'statement', type: 'string' },
    { name: 'owner', type: 'address' },
    { name: 'reader', type: 'address' },
    { name: 'tokenId', type: 'uint256' },
    { name: 'transferCount', type: 'uint256' },
    { name: 'digest', type: 'bytes32' },
    { name: 'name', type: 'string' },
    { name: 'rights', type: 'string' },
    { name: 'holders', type: 'string[]' },
    { name: 'issuedAt', type: 'uint64' },
    { name: 'expires', type: 'uint64' },
    { name: 'salt', type: 'bytes32' },
  ],
} as const

/** Returns a grant as its owner signs it (EIP-712), for the tokens of a registry. */
export const typedGrant = (grant: Grant, { chainId, address }: Registry) => ({
  types: grantTypes,
  primaryType: 'Grant' as const,
  domain: { name: 'Heirloom Grants', version: '1', chainId, verifyingContract: address },
  message: { ...grant, issuedAt: BigInt(grant.issuedAt), expires: BigInt(grant.expires) },
})

/** Returns the id of a grant: its EIP-712 hash. */
export const grantId = (grant: Grant, registry: Registry): GrantId =>
  hashTypedData(typedGrant(grant, registry))
