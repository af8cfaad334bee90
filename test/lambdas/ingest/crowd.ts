/** Runs every job, at most `abreast` at a time: as many environments, each taking one request at a time. */
export async function crowd<Result>(
  jobs: number,
  abreast: number,
  job: (index: number, lane: number) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = [];
  let next = 0;
  async function lane(number: number) {
    while (next < jobs) {
      const index = next;
      next += 1;
      results[index] = await job(index, number);
    }
  }
  await Promise.all(Array.from({ length: abreast }, (_, number) => lane(number)));
  return results;
}
