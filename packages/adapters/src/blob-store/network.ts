import type { CID } from 'multiformats/cid'

/** The IPFS nodes with which this one exchanges blocks. */
export type Network = {
  /** Returns the addresses at which other nodes reach this one. */
  readonly addresses: () => readonly string[]
  /** Returns a block from a peer and stores it; throws when no peer sent it. */
  readonly fetch: (cid: CID) => AsyncIterable<Uint8Array>
}

export declare namespace Network {
  type Input = {
    /** Multiaddresses to listen on, such as `/ip4/127.0.0.1/tcp/4001`. */
    readonly listen: readonly string[]
    /** Multiaddresses of the nodes from which missing blocks are requested. */
    readonly peers: readonly string[]
    /** The time that peers may take to send a block, in milliseconds; 10 seconds by default. */
    readonly patience?: number
  }
}
