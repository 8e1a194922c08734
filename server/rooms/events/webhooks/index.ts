export type { Answer } from './deliveries/answers.ts'
export { type Attempted, findAttempted, webhookAttempted } from './deliveries/attempted.ts'
export { beginDelivery } from './deliveries/begin.ts'
export {
  cancelOfStep,
  endUnanswered,
  forgetDeliveries,
  namedOf,
  type Outcome,
  refuseAnswer,
  takeOutcome,
  type WebhookNamed,
  webhookEnded,
} from './deliveries/ended.ts'
export { sendWebhooks } from './deliveries/sender.ts'
export { findNextUnanswered } from './deliveries/store.ts'
export { webhookRoutes } from './routes.ts'
export { sealPlainUrls } from './seal-urls.ts'
export { signDelivery } from './sign.ts'
export { findWebhooks } from './store.ts'
