import type { CopyRefusal, Digest } from '@heirloom/core'
import type { CID } from 'multiformats/cid'
import type { Peer } from './copies/copy-messages.ts'
import type { CopyHolder } from './copies/serve-copies.ts'

/** The IPFS nodes with which this one exchanges blocks. */
export type Network = {
  /** Returns the addresses at which other nodes reach this one. */
  readonly addresses: () => readonly string[]
  /** Reports whether there are nodes to ask for a block. */
  readonly hasPeers: () => boolean
  /** Reports whether a node is connected now. */
  readonly isConnected: () => boolean
  /** Returns a block from a peer and stores it; throws when no peer sent it. */
  readonly fetch: (cid: CID) => AsyncIterable<Uint8Array>
  /** The number of configured peers. */
  readonly peers: number
  /** Starts the exchange of copies with the configured peers, and returns these. */
  readonly exchangeCopies: (holder: CopyHolder) => Promise<readonly Peer[]>
  /** Calls back whenever a connection with another node begins. */
  readonly onConnect: (callback: () => void) => void
}

export declare namespace Network {
  type Input = {
    /** Multiaddresses to listen on, such as `/ip4/127.0.0.1/tcp/4001`. */
    readonly listen: readonly string[]
    /** Multiaddresses of the nodes from which missing blocks are requested. */
    readonly peers: readonly string[]
    /** The time that peers may take to send a block, in milliseconds; 10 seconds by default. */
    readonly patience?: number
    /** The seed of the key that proves this node to its peers; one in the folder by default. */
    readonly seed?: Uint8Array | undefined
    /** The copies of each block on other nodes; absent to make none. */
    readonly copies?: CopySettings | undefined
    /** Returns whether a block is of an erased memory; then it is stored here no more. */
    readonly isErased?: ((digest: Digest) => boolean) | undefined
  }

  /** The settings of copies on other nodes. */
  type CopySettings = {
    /** The number of nodes that hold each block, this one included. */
    readonly count: number
    /** The shortest time between two counts of all copies, in milliseconds; a minute by default. */
    readonly auditEvery?: number | undefined
    /**
     * The most bytes that each peer may have stored here; an equal part of nine tenths of the disk
     * by default.
     */
    readonly bytesPerPeer?: number | undefined
    /** Is called when a copy of a peer is refused, at most once an hour for each. */
    readonly onRefusal?: ((refusal: CopyRefusal) => void) | undefined
  }
}
