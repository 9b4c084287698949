export type { ContractPair, DeployedPair, PairSearch } from '../contract-pair.ts'
export * from './deploy.ts'
export * from './embedded-contracts.ts'
