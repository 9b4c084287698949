export type { FrameworkOptions } from '../named-document.ts'
export { HeirloomSaver, type SaverOptions } from './heirloom-saver.ts'
export { HeirloomStore } from './heirloom-store.ts'
export type { ItemRecord } from './item-record.ts'
