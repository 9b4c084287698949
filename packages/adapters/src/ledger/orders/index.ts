export {
  depositAddress,
  type EncodedOrder,
  encodedOrderHash,
  encodeOrder,
  type OrderDomain,
  orderHash,
} from './encode-order.ts'
export {
  decodeSettle,
  encodePayOrder,
  encodeRefund,
  encodeSettle,
  type OrderPayment,
  type OrderRefund,
  type OrderSettlement,
} from './encode-payment.ts'
export {
  type Authorization,
  type OrderReads,
  type OrderView,
  openOrderReads,
  type Standing,
} from './order-reads.ts'
export { noDeadline } from './order-series.ts'
export { type DollarDomain, paymentAuthorization } from './payment-authorization.ts'
export { printOrder, printPayment } from './print-order.ts'
