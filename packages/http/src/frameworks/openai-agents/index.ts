export type { FrameworkOptions } from '../named-document.ts'
export { type HeirloomSession, heirloomSession } from './heirloom-session.ts'
