const clamp = (value: number, least: number, most: number): number => Math.max(least, Math.min(most, Math.floor(value)))

/**
 * How much memory the embedded PostgreSQL uses, by the memory of the machine or, where that is less, of the container. The
 * machine is shared with the server and whatever else runs on it. PLACEHOLDER
 */
export function memorySettings(machineBytes: number, containerBytes: number | undefined): Record<string, string> {
  // Where nothing is set, some systems say 0, and others more than there is.
  const mebibytes = Math.min(machineBytes, containerBytes || machineBytes) / 2 ** 20
  const isSmall = mebibytes < 2048
  return {
    shared_buffers: `${clamp(mebibytes / 16, 64, 512)}MB`,
    // No memory of PostgreSQL's: what it expects to find in the operating system's cache.
    effective_cache_size: `${clamp(mebibytes / 2, 256, 16_384)}MB`,
    // Taken by each sort and hash of each statement. Runs of rules set more for themselves.
    work_mem: '4MB',
    maintenance_work_mem: isSmall ? '32MB' : '64MB',
    // Each worker takes as much: for 100,000 dead rows 1 MB does.
    autovacuum_work_mem: isSmall ? '16MB' : '32MB',
    autovacuum_max_workers: isSmall ? '1' : '3',
    // Reserved pages belong to whoever reserved them, and would be taken whole at the start.
    huge_pages: 'off',
    // Compiled code stays in the memory of each backend; no statement here is worth it.
    jit: 'off',
  }
}
