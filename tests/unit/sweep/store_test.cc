#include "sweep/store/store.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>

#include "sweep/store/columns.h"

namespace lockstep::sweep {
namespace {

class StoreTest : public ::testing::Test {
 protected:
  void SetUp() override {
    const auto* info = ::testing::UnitTest::GetInstance()->current_test_info();
    folder_ = std::string(LOCKSTEP_TEST_BINARY_DIR) + "/store_test_" + info->name();
    std::filesystem::remove_all(folder_);
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  StoreRequest request(std::string manifest = "{}\n") const { return {folder_, std::move(manifest), false}; }

  std::string log_text() const {
    std::ifstream file(folder_ + "/trials.jsonl", std::ios::binary);
    std::ostringstream text;
    text << file.rdbuf();
    return text.str();
  }
  void add_to_log(const std::string& text) const {
    std::ofstream(folder_ + "/trials.jsonl", std::ios::binary | std::ios::app) << text;
  }
  static void add(TrialStore& store, const TrialRecord& record) {
    std::string why;
    ASSERT_TRUE(store.append(record, why)) << why;
  }

  std::string folder_;
};

TrialRecord sample(int64_t point) {
  TrialRecord record;
  record.id = trial_id("config" + std::to_string(point), "w", "t");
  record.point = point;
  record.metrics = {{"cycles", int64_t{1} << 60}, {"latency_ms", 0.1}, {"area_mm2", 3.0}, {"bound", std::string("hbm")}, {"x", {}}};
  record.layers = {{{"op", std::string("q\"\\\n")}, {"cycles", int64_t{7}}}, {}};
  return record;
}

void expect_same(const TrialRecord& a, const TrialRecord& b) {
  EXPECT_EQ(trial_line(a), trial_line(b));
  EXPECT_EQ(a.metrics, b.metrics);
  EXPECT_EQ(a.layers, b.layers);
}

TEST(TrialLine, RoundTripsEveryCellTypeExactly) {
  TrialRecord record = sample(3);
  record.state = TrialState::kInfeasible;
  record.reason = "I0401: VMEM needs 3 MiB";
  const Result<StoreLines> lines = parse_store(trial_line(record) + "\n", "f");
  ASSERT_TRUE(lines.ok());
  ASSERT_EQ(lines->trials.size(), 1U);
  expect_same(lines->trials[0], record);
  EXPECT_EQ(lines->trials[0].state, TrialState::kInfeasible);
  EXPECT_EQ(lines->trials[0].reason, record.reason);
}

TEST(TrialLine, RtlRecordRoundTrips) {
  const RtlRecord record{"id", 4, {{"rtl_cycles", int64_t{12}}}};
  const Result<StoreLines> lines = parse_store(rtl_line(record) + "\n", "f");
  ASSERT_TRUE(lines.ok());
  ASSERT_EQ(lines->rtl.size(), 1U);
  EXPECT_EQ(lines->rtl[0].point, 4);
  EXPECT_EQ(lines->rtl[0].cells, record.cells);
}

TEST(TrialId, DependsOnEveryPartAndOnWhereTheyAreCut) {
  const std::set<std::string> ids = {trial_id("a", "b", "c"), trial_id("ab", "", "c"), trial_id("a", "bc", ""),
                                     trial_id("a", "b", "d"), trial_id("a", "c", "c")};
  EXPECT_EQ(ids.size(), 5U);
  EXPECT_EQ(trial_id("a", "b", "c"), trial_id("a", "b", "c"));
  EXPECT_EQ(ids.begin()->size(), 32U);
}

TEST_F(StoreTest, ResumesWithWhatWasAppended) {
  {
    Result<TrialStore> store = TrialStore::open(request());
    ASSERT_TRUE(store.ok()) << store.diags()[0].message;
    EXPECT_TRUE(store->recorded_trials().empty());
    add(*store, sample(0));
    add(*store, sample(1));
  }
  const Result<TrialStore> again = TrialStore::open(request());
  ASSERT_TRUE(again.ok());
  ASSERT_EQ(again->recorded_trials().size(), 2U);
  expect_same(again->recorded_trials()[1], sample(1));
}

TEST_F(StoreTest, CutsATornLastLineAndAppendsBehindTheWholeOnes) {
  const std::string whole = trial_line(sample(0)) + "\n";
  const std::string next = trial_line(sample(1)) + "\n";
  // Every possible tear of the second line, from its first byte to all but the newline.
  for (size_t kept = 1; kept < next.size(); kept += 13) {
    std::filesystem::remove_all(folder_);
    { ASSERT_TRUE(TrialStore::open(request()).ok()); }
    add_to_log(whole + next.substr(0, kept));
    {
      Result<TrialStore> store = TrialStore::open(request());
      ASSERT_TRUE(store.ok()) << kept;
      ASSERT_EQ(store->recorded_trials().size(), 1U) << kept;
      add(*store, sample(1));
    }
    EXPECT_EQ(log_text(), whole + next) << kept;
  }
}

TEST_F(StoreTest, RefusesABrokenLineInTheMiddleWithItsNumber) {
  { ASSERT_TRUE(TrialStore::open(request()).ok()); }
  add_to_log(trial_line(sample(0)) + "\n{\"kind\":\"trial\"}\n");
  const Result<TrialStore> store = TrialStore::open(request());
  ASSERT_FALSE(store.ok());
  EXPECT_EQ(store.diags()[0].code, "E1212");
  EXPECT_EQ(store.diags()[0].loc.line, 2);
}

TEST_F(StoreTest, GarbageIsAnErrorNotACrash) {
  for (const char* text : {"\n", "null\n", "[]\n", "{\"kind\":7}\n", "\x80\xff\n", "{\"kind\":\"trial\",\"id\":\"a\",\"point\":1.5}\n",
                           "{\"kind\":\"trial\",\"id\":\"a\",\"point\":1,\"state\":\"odd\",\"reason\":\"\",\"metrics\":{},\"layers\":[]}\n"}) {
    EXPECT_FALSE(parse_store(text, "f").ok()) << text;
  }
}

TEST_F(StoreTest, SecondRunnerIsRefusedWhileTheFirstLives) {
  const Result<TrialStore> first = TrialStore::open(request());
  ASSERT_TRUE(first.ok());
  const Result<TrialStore> second = TrialStore::open(request());
  ASSERT_FALSE(second.ok());
  EXPECT_EQ(second.diags()[0].code, "E1211");
}

TEST_F(StoreTest, AnotherSweepInTheFolderIsRefusedAndForceStartsAfresh) {
  {
    Result<TrialStore> store = TrialStore::open(request("{\"a\":1}\n"));
    ASSERT_TRUE(store.ok());
    add(*store, sample(0));
  }
  const Result<TrialStore> other = TrialStore::open(request("{\"a\":2}\n"));
  ASSERT_FALSE(other.ok());
  EXPECT_EQ(other.diags()[0].code, "E1213");
  EXPECT_NE(log_text(), "");

  StoreRequest forced = request("{\"a\":2}\n");
  forced.force = true;
  const Result<TrialStore> fresh = TrialStore::open(forced);
  ASSERT_TRUE(fresh.ok());
  EXPECT_TRUE(fresh->recorded_trials().empty());
  EXPECT_EQ(log_text(), "");
}

TEST_F(StoreTest, ARepeatedIdCountsOnce) {
  { ASSERT_TRUE(TrialStore::open(request()).ok()); }
  add_to_log(trial_line(sample(0)) + "\n" + trial_line(sample(0)) + "\n");
  const Result<TrialStore> store = TrialStore::open(request());
  ASSERT_TRUE(store.ok());
  EXPECT_EQ(store->recorded_trials().size(), 1U);
}

TEST_F(StoreTest, FolderThatIsAFileIsAnError) {
  std::ofstream(folder_) << "x";
  const Result<TrialStore> store = TrialStore::open(request());
  ASSERT_FALSE(store.ok());
  EXPECT_EQ(store.diags()[0].code, "E1210");
}

TEST(Cells, PrintShortestRoundTripNumbers) {
  EXPECT_EQ(cell_text(Cell{0.1}), "0.1");
  EXPECT_EQ(cell_text(Cell{int64_t{-5}}), "-5");
  EXPECT_EQ(cell_text(Cell{}), "");
  EXPECT_EQ(cell_text(Cell{std::string("a,b")}), "a,b");
}

TEST(Columns, NamesAreUniqueAndEveryOneHasASentence) {
  std::set<std::string> names;
  for (const Column& column : result_columns({{"chip.mxu.rows", "", "rows", ""}}, {"prefill"})) {
    EXPECT_TRUE(names.insert(column.name).second) << column.name;
    EXPECT_FALSE(column.sentence.empty()) << column.name;
  }
  for (const Column& column : layer_columns()) EXPECT_FALSE(column.sentence.empty()) << column.name;
}

TEST(Columns, UnitIsTheLastPartOfTheName) {
  for (const auto* table : {&metric_columns(), &layer_columns(), &verdict_columns()}) {
    for (const Column& column : *table) {
      const std::string& n = column.name;
      std::string ending = column.unit.empty() ? "" : "_" + column.unit;
      if (column.unit == "%") ending = "_pct";
      if (column.unit == "GB/s") ending = "_GBps";
      if (column.unit == "cycles") ending = "";
      EXPECT_THAT(n, ::testing::EndsWith(ending));
      EXPECT_TRUE(column.unit != "cycles" || n.find("cycles") != std::string::npos) << n;
    }
  }
}

}  // namespace
}  // namespace lockstep::sweep
