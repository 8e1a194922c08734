export { startDeliveries } from './deliver/engine.ts'
export { forgetDeliveries } from './forget.ts'
export { subscriptionMetrics, subscriptionTotals } from './metrics.ts'
export { subscriptionRoutes } from './routes.ts'
