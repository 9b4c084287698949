/**
 * Signs digests with one private key of the curve secp256k1, which never leaves the service: a
 * hardware security module, a key management service, an agent.
 *
 * Laws
 * - returns one public key, a point of the curve
 * - signs every digest with that key
 * - signs digests that come at the same time, each for itself
 */
export interface KeyService {
  /**
   * Returns the public key, uncompressed: the byte 4, x and y, 65 bytes. Signs nothing.
   *
   * @throws `key-service/unavailable`, `config/invalid` when a setting must change first
   */
  publicKey(): Promise<Uint8Array>
  /**
   * Signs a digest of 32 bytes as it is, without hashing it again. Returns r and s, 32 bytes each; s
   * may be in either half of its range, and equal digests may give different signatures.
   *
   * @throws `key-service/unavailable`, `config/invalid` when a setting must change first
   */
  sign(digest: Uint8Array): Promise<Uint8Array>
  /** Ends what the service needs in this process. Absent where that is nothing. */
  close?(): Promise<void>
}

/** The exports of a module that `AGENT_KEY_SERVICE` names. */
export type KeyServiceModule = {
  /** Returns the service. Connects to nothing yet. */
  readonly keyService: () => KeyService
}
