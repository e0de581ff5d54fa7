// A plugin of clang-tidy 19: its checks look at the code of this project only. As it is, they walk
// the syntax tree of every system header too, to drop what they find there, which takes most of
// the time. clang-tidy 21 leaves these headers out by itself; this file goes when it is used.
#include <clang/AST/ASTConsumer.h>
#include <clang/AST/ASTContext.h>
#include <clang/Basic/SourceManager.h>
#include <clang/Frontend/FrontendPluginRegistry.h>
#include <memory>
#include <string>
#include <vector>

namespace {

class OwnCode : public clang::ASTConsumer {
    void HandleTranslationUnit(clang::ASTContext& context) override {
        const clang::SourceManager& sources = context.getSourceManager();
        std::vector<clang::Decl*> own;
        for (clang::Decl* each : context.getTranslationUnitDecl()->decls()) {
            if (each->getLocation().isValid() && !sources.isInSystemHeader(each->getLocation())) {
                own.push_back(each);
            }
        }
        context.setTraversalScope(own);
    }
};

class ShowOwnCode : public clang::PluginASTAction {
    std::unique_ptr<clang::ASTConsumer> CreateASTConsumer(clang::CompilerInstance&,
                                                          llvm::StringRef) override {
        return std::make_unique<OwnCode>();
    }

    bool ParseArgs(const clang::CompilerInstance&, const std::vector<std::string>&) override {
        return true;
    }

    ActionType getActionType() override { return AddBeforeMainAction; }
};

const clang::FrontendPluginRegistry::Add<ShowOwnCode> kOwnCode("own-code", "checks see own code");

}  // namespace
