import type { CID } from 'multiformats/cid'

/** Other IPFS nodes, with which blocks are exchanged. */
export type Network = {
  /** Returns the addresses at which other nodes reach this one. */
  readonly addresses: () => readonly string[]
  /** Returns a block from a peer, which is kept from then on, or throws that none gave it. */
  readonly fetch: (cid: CID) => AsyncIterable<Uint8Array>
}

export declare namespace Network {
  type Input = {
    /** Multiaddresses to listen on, such as `/ip4/127.0.0.1/tcp/4001`. */
    readonly listen: readonly string[]
    /** Multiaddresses of the nodes that are asked for missing blocks. */
    readonly peers: readonly string[]
    /** How long peers may take to give a block, in milliseconds; 10 seconds by default. */
    readonly patience?: number
  }
}
