import BotCore
import Values

/// When scheduled rules fire.
extension Engine {
    /// Fires what has come since slots were last looked for, and looks when the next one comes.
    func startSlots(at now: Timestamp) async throws(StateError) {
        if isSlotPlanFresh {
            guard let nextSlot, nextSlot <= now else { return }
        }
        // A poll that ends meanwhile says that it has to be made anew.
        isSlotPlanFresh = true
        do throws(StateError) {
            try await fireSlots(at: now)
            nextSlot = try await desk.nextSlot(after: now).map { max($0, now + .milliseconds(1)) }
        } catch {
            isSlotPlanFresh = false
            throw error
        }
    }

    private func fireSlots(at now: Timestamp) async throws(StateError) {
        let start = max(checkedSlots, now - SlotPlan.longestLook)
        guard start < now else { return }
        let due = try await desk.slots(after: start, through: now).filter { !firing.contains($0) }
        let plan = SlotPlan(due, at: now)
        checkedSlots = now
        firing.formUnion(plan.fire)
        await rememberChecked()
        for slot in plan.fire { self.start { await $0.fire(slot) } }
        if !plan.skip.isEmpty { try await skip(plan.skip, at: now) }
    }

    private func skip(_ slots: [SkippedSlot], at now: Timestamp) async throws(StateError) {
        for skipped in slots {
            log(.warning, "Rule \(skipped.slot.rule): \(skipped.slot.key) is skipped: \(skipped.reason).")
        }
        try await desk.fire(nil, skipping: slots, at: now)
    }

    /// What is on disk lies before every slot that has not been committed yet: a crash finds it again.
    private func rememberChecked() async {
        let pending = firing.map(\.due).min().map { $0 - .milliseconds(1) }
        await desk.setChecked(through: min(checkedSlots, pending ?? checkedSlots))
    }

    private func fire(_ slot: Slot) async {
        for name in slot.needs {
            if let source = sources[name] { await refresh(source) }
        }
        // What it needs may not have been asked to the end. It stays the next start's, which finds it by `checkedThrough`.
        if isStopping, !slot.needs.isEmpty { return }
        do throws(StateError) {
            try await desk.fire(slot, skipping: [], at: clock.now)
        } catch {
            fail(error)
            // To be looked for again: what has fired is remembered, this has not.
            checkedSlots = min(checkedSlots, slot.due - .milliseconds(1))
            isSlotPlanFresh = false
        }
        firing.remove(slot)
        await rememberChecked()
    }
}
