// Closes a test run with one plain line that any log reader understands: "N passed, N failed, N skipped".
export default class CountReporter {
  onTestRunEnd(modules) {
    const count = { passed: 0, failed: 0, skipped: 0 };
    for (const module of modules) {
      for (const test of module.children.allTests()) count[test.result().state] = (count[test.result().state] ?? 0) + 1;
    }
    console.log(`${count.passed} passed, ${count.failed} failed, ${count.skipped} skipped`);
  }
}
