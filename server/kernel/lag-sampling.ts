/**
 * How often the lag of the event loop is sampled, in ms. By default it is 10: a timer that wakes an idle process 100 times per second,
 * which took 0.5% of a core.
 */
export const lagSampling = { eventLoopMonitoringPrecision: 500 }
