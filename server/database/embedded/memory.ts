const clamp = (value: number, least: number, most: number): number => Math.max(least, Math.min(most, Math.floor(value)))

/**
 * How much memory the embedded PostgreSQL uses, by the memory of the machine or, if that is less, of the container. The
 * machine is shared with the server and whatever else runs on it.
 * `shared_buffers` is allocated page by page and never released, so it is nearly all that PostgreSQL holds after load.
 * Measured with a million users, two runs of a rule over everyone, and 2,000 searches by name, by PSS
 * (/proc/PID/smaps_rollup), as RSS counts shared memory once for each process:
 *   shared_buffers memory held after the runs CPU of a run search, lookup (tenth percentile)
 *   1 GiB 1,151 to 1,179 MiB 4.1 to 5.0 s 0.594 ms, 0.093 ms
 *   512 MiB 528 to 646 MiB 4.1 to 4.9 s 0.583 ms, 0.092 ms
 *   256 MiB 342 to 373 MiB 3.7 to 4.0 s 0.672 ms, 0.096 ms
 * The operating system's cache has the rest of the files. A backend has 2 to 3 MiB of private memory.
 */
export function memorySettings(machineBytes: number, containerBytes: number | undefined): Record<string, string> {
  // If no limit is set, some systems return 0, and others more than there is.
  const mebibytes = Math.min(machineBytes, containerBytes || machineBytes) / 2 ** 20
  const isSmall = mebibytes < 2048
  return {
    shared_buffers: `${clamp(mebibytes / 16, 64, 512)}MB`,
    // Allocates nothing: how much PostgreSQL expects the operating system to cache.
    effective_cache_size: `${clamp(mebibytes / 2, 256, 16_384)}MB`,
    // For each sort and hash of each statement. Runs of rules set more for themselves.
    work_mem: '4MB',
    maintenance_work_mem: isSmall ? '32MB' : '64MB',
    // Each worker may use as much.
    autovacuum_work_mem: isSmall ? '16MB' : '32MB',
    autovacuum_max_workers: isSmall ? '1' : '3',
    // Huge pages belong to the process that reserved them, and would be allocated in full at the start.
    huge_pages: 'off',
    // Compiled code stays in the memory of each backend; no statement here is worth it.
    jit: 'off',
  }
}
