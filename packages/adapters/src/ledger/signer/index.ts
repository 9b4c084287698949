export { publicKeyOfDer, signatureOfDer } from './der.ts'
export {
  type KeyServiceEvent,
  type KeyServiceOperation,
  type KeyServiceSigner,
  keyServiceSigner,
} from './key-service-signer.ts'
export { type Pkcs11Place, pkcs11KeyService } from './pkcs11/pkcs11-key-service.ts'
export { privateKeySigner } from './private-key-signer.ts'
export { type Signature, type Signer, signerWallet } from './signer-wallet.ts'
