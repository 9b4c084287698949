import { isFailure } from '@heirloom/core'
import type { Hex } from 'viem'
import { openEvm, type RpcRequest } from './evm.ts'
import { folderFailure } from './folder-failure.ts'
import { firstGenesis, requireFunds } from './genesis.ts'
import { openJournal } from './journal.ts'
import { jsonRpc } from './json-rpc.ts'
import { openNode } from './node.ts'
import { replay } from './replay.ts'
import { signingAnew } from './sign-anew.ts'

/** A chain in this process whose history outlives it. */
export type EmbeddedChain = {
  readonly chainId: number
  /** Answers the standard methods, as EIP-1193 has it. */
  request(request: RpcRequest): Promise<unknown>
  /**
   * Names the newest state: equal numbers, equal answers of calls on the newest block. Absent while
   * a transaction is being carried out, and once the chain is closed.
   */
  stateVersion(): number | undefined
  /** Calls after every change of the state; returns what ends that. */
  onState(call: () => void): () => void
  /** Answers a parsed JSON-RPC 2.0 body; `undefined` when it asks for no answer. */
  handleRpc(body: unknown): Promise<unknown>
  /** Waits for the transactions already sent, then lets go of the folder. */
  close(): Promise<void>
}

export declare namespace embeddedChain {
  type Options = {
    readonly folder: string
    /** Milliseconds since 1970. */
    readonly now: () => number
    /** The accounts, besides the well-known test accounts, that a new chain gives tokens to. */
    readonly funded: readonly Hex[]
    /**
     * The private key of whoever sends most transactions, 32 bytes, with which a long history opens
     * in less time: the EVM signs them anew, to the same bytes, instead of recovering who did.
     */
    readonly key?: Hex | undefined
    readonly chainId?: 31337
  }
}

/**
 * Opens the chain kept in `folder`, or starts one there.
 *
 * @throws `folder/in-use`, `folder/unusable`, `journal/diverged`
 */
export async function embeddedChain(options: embeddedChain.Options): Promise<EmbeddedChain> {
  const { folder, now, funded, key, chainId = 31337 } = options
  const journal = openJournal({ folder, genesis: firstGenesis({ chainId, now, funded }) })
  try {
    const { genesis } = journal
    const evm = await openEvm({ ...genesis, key })
    await replay({ evm, journal, signAnew: await signingAnew({ ...genesis, key }) })
    for (const address of funded) await requireFunds({ evm, genesis }, { folder, address })
    return running({ evm, journal, now })
  } catch (error) {
    journal.close()
    throw isFailure(error) ? error : folderFailure(folder, error)
  }
}

function running(parts: openNode.Parts): EmbeddedChain {
  const { request, stateVersion, onState, close } = openNode(parts)
  return {
    chainId: parts.journal.genesis.chainId,
    request,
    stateVersion,
    onState,
    handleRpc: jsonRpc(request),
    close,
  }
}
