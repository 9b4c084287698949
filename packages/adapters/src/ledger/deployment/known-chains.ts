import type { Hex } from 'viem'

/** The native currency of a chain, as wallets show it. It has 18 decimals. */
export type NativeCurrency = { readonly name: string; readonly symbol: string }

/** The native currency of most chains. */
export const ether: NativeCurrency = { name: 'Ether', symbol: 'ETH' }

const pol: NativeCurrency = { name: 'POL', symbol: 'POL' }
const avax: NativeCurrency = { name: 'Avalanche', symbol: 'AVAX' }

/** The facts of a chain that need no node. */
export type KnownChain = {
  readonly name: string
  /** The native currency, which pays for gas; ether where absent. */
  readonly nativeCurrency?: NativeCurrency
  /** The dollar of the chain: USDC, as its issuer made it there. */
  readonly dollar: Hex
}

/**
 * The chains whose dollar is known, by chain id. Addresses: "USDC Contract Addresses" of Circle, the
 * issuer (developers.circle.com/stablecoins/usdc-contract-addresses), not those of bridged copies.
 */
export const knownChains: Readonly<Record<number, KnownChain>> = {
  1: { name: 'Ethereum', dollar: '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48' },
  10: { name: 'OP Mainnet', dollar: '0x0b2C639c533813f4Aa9D7837CAf62653d097Ff85' },
  137: {
    name: 'Polygon PoS',
    nativeCurrency: pol,
    dollar: '0x3c499c542cEF5E3811e1192ce70d8cC03d5c3359',
  },
  8453: { name: 'Base', dollar: '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913' },
  42161: { name: 'Arbitrum One', dollar: '0xaf88d065e77c8cC2239327C5EDb3A432268e5831' },
  43113: {
    name: 'Avalanche Fuji',
    nativeCurrency: avax,
    dollar: '0x5425890298aed601595a70AB815c96711a31Bc65',
  },
  43114: {
    name: 'Avalanche C-Chain',
    nativeCurrency: avax,
    dollar: '0xB97EF9Ef8734C71904D8002F8b6Bc66Dd9c48a6E',
  },
  80002: {
    name: 'Polygon Amoy',
    nativeCurrency: pol,
    dollar: '0x41E94Eb019C0762f9Bfcf9Fb1E58725BfB0e7582',
  },
  84532: { name: 'Base Sepolia', dollar: '0x036CbD53842c5426634e7929541eC2318f3dCF7e' },
  421614: { name: 'Arbitrum Sepolia', dollar: '0x75faf114eafb1BDbe2F0316DF893fd58CE46AA4d' },
  11155111: { name: 'Sepolia', dollar: '0x1c7D4B196Cb0C7B01d743Fbc6116a902379C7238' },
  11155420: { name: 'OP Sepolia', dollar: '0x5fd84259d66Cd46123540766Be93DFE6D43130D7' },
}
