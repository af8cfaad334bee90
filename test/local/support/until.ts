/** Waits for what happens elsewhere. The test's own time limit ends it. */
export async function until<Result>(
  look: () => Result | false | undefined | Promise<Result | false | undefined>,
): Promise<Result> {
  for (;;) {
    const seen = await look();
    if (seen) return seen;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}
